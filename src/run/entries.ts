import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'

/** What begins a run of each kind. */
export const ENTRIES = {
  'chat.send': contract.chat.send,
  'completion.send': contract.completion.send,
  'workflows.run': contract.workflows.run,
}

/** The path of the interface that begins a run. */
export const pathOf = (entry: Run['entry']): string => ENTRIES[entry].path
