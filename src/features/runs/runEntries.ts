import { fillPath, type KeyKind } from '#contract/endpoint.ts'
import type { Run } from '#contract/console/runs.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { completionEndpoints } from '#contract/platform/completion.ts'
import { workflowEndpoints } from '#contract/platform/workflows.ts'
import { optionalRunEndpoints } from '#contract/platform/optionalRuns.ts'

/** The operation that starts a run of each kind. */
export const RUN_ENTRIES = {
  'chat.send': chatEndpoints.send,
  'completion.send': completionEndpoints.send,
  'workflows.run': workflowEndpoints.run,
}

/** The kinds of runs with a form of inputs only. */
export type InputsEntryName = 'completion.send' | 'workflows.run'

/** The API path that starts a run; that of a chatflow is the same for every version. */
export const getRunPath = (entry: Run['entry'], pinned_workflow_id: string | null): string =>
  entry === 'workflows.run' && pinned_workflow_id !== null
    ? fillPath(optionalRunEndpoints.runVersion.path, { workflow_id: pinned_workflow_id })
    : RUN_ENTRIES[entry].path

/** The operation that stops a run of each kind, if the platform supports it. */
export const STOP_ENTRIES = {
  'chat.send': 'stopChat',
  'completion.send': 'stopCompletion',
  'workflows.run': 'stopWorkflow',
} as const satisfies Record<Run['entry'], string>

export const ENTRY_BY_KEY_KIND = {
  chat: 'chat.send',
  completion: 'completion.send',
  workflow: 'workflows.run',
} as const satisfies Record<Exclude<KeyKind, 'knowledge'>, Run['entry']>
