import type { RunOriginKind } from '#contract/console/runs.ts'
import type { callListMessages } from './messages.ts'

/** The text of each place where runs are started. */
export const ORIGIN_LABELS = {
  chat: 'fromChat',
  completion: 'fromCompletion',
  workflows: 'fromWorkflows',
  replay: 'fromReplay',
  board: 'fromBoard',
  batch: 'fromBatch',
  api: 'fromApi',
  platform: 'fromPlatform',
} as const satisfies Record<RunOriginKind, keyof typeof callListMessages>
