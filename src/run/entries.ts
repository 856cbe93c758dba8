import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'

/** The path of the interface that begins a run. */
export const pathOf = (entry: Run['entry']): string =>
  ({
    'chat.send': contract.chat.send.path,
    'completion.send': contract.completion.send.path,
    'workflows.run': contract.workflows.run.path,
  })[entry]
