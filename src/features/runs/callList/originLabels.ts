import type { RunOriginKind } from '#contract/console/runs.ts'

/** The text of each place where runs are started. */
export const ORIGIN_LABELS = {
  chat: 'chat',
  completion: 'completion',
  workflows: 'fromWorkflows',
  replay: 'fromReplay',
  board: 'fromBoard',
  batch: 'fromBatch',
  api: 'fromApi',
  platform: 'fromPlatform',
} as const satisfies Record<RunOriginKind, string>
