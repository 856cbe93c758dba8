import { fillPath, type KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/console/runs.ts'

/** The operation that starts a run of each kind. */
export const RUN_ENTRIES = {
  'chat.send': contract.chat.send,
  'completion.send': contract.completion.send,
  'workflows.run': contract.workflows.run,
}

/** The kinds of runs with a form of inputs only. */
export type InputsEntryName = 'completion.send' | 'workflows.run'

/** The API path that starts a run; that of a chatflow is the same for every version. */
export const getRunPath = (entry: Run['entry'], pinned_workflow_id: string | null): string =>
  entry === 'workflows.run' && pinned_workflow_id !== null
    ? fillPath(contract.adjacent.runVersion.path, { workflow_id: pinned_workflow_id })
    : RUN_ENTRIES[entry].path

/** The operation that stops a run of each kind, if the platform supports it. */
export const STOP_ENTRIES = {
  'chat.send': 'stopChat',
  'completion.send': 'stopCompletion',
  'workflows.run': 'stopWorkflow',
} as const satisfies Record<Run['entry'], string>

/** The kind of run for each kind of key. */
export const ENTRY_BY_KEY_KIND = {
  chat: 'chat.send',
  completion: 'completion.send',
  workflow: 'workflows.run',
} as const satisfies Record<Exclude<KeyKind, 'knowledge'>, Run['entry']>
