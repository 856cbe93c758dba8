import type { Run } from '#contract/console/runs.ts'

/** Labels of the run kinds. */
export const RUN_KINDS = {
  'chat.send': 'chat',
  'completion.send': 'completion',
  'workflows.run': 'workflow',
} as const satisfies Record<Run['entry'], string>
