import type { KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/console/runs.ts'

/** What begins a run of each kind. */
export const RUN_ENTRIES = {
  'chat.send': contract.chat.send,
  'completion.send': contract.completion.send,
  'workflows.run': contract.workflows.run,
}

/** What runs on a form of inputs alone. */
export type InputsEntryName = 'completion.send' | 'workflows.run'

/** The path of the interface that begins a run. */
export const getRunPath = (entry: Run['entry']): string => RUN_ENTRIES[entry].path

/** What has the platform stop a run of each kind, where it offers that. */
export const STOP_ENTRIES = {
  'chat.send': 'stopChat',
  'completion.send': 'stopCompletion',
  'workflows.run': 'stopWorkflow',
} as const satisfies Record<Run['entry'], string>

/** The kind of key that a run of each kind goes through. */
export const ENTRY_BY_KEY_KIND = {
  chat: 'chat.send',
  completion: 'completion.send',
  workflow: 'workflows.run',
} as const satisfies Record<Exclude<KeyKind, 'knowledge'>, Run['entry']>
