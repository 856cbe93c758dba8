import type { Run } from '#contract/console/runs.ts'

/** What the kinds of runs are called. */
export const RUN_KINDS = {
  'chat.send': 'chat',
  'completion.send': 'completion',
  'workflows.run': 'workflow',
} as const satisfies Record<Run['entry'], string>
