/** Colour and icon of a badge. */
export type StatusColor =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'stopped'
  | 'interrupted'
  | 'unknown'
  | 'paused'

/** The statuses of a document's indexing, in their order. After a final one the platform does nothing more by itself. */
export const INDEXING_STATUS_TABLE = {
  waiting: { color: 'queued', isFinal: false },
  parsing: { color: 'running', isFinal: false },
  cleaning: { color: 'running', isFinal: false },
  splitting: { color: 'running', isFinal: false },
  indexing: { color: 'running', isFinal: false },
  paused: { color: 'paused', isFinal: true },
  completed: { color: 'succeeded', isFinal: true },
  error: { color: 'failed', isFinal: true },
} as const satisfies Record<string, { color: StatusColor; isFinal: boolean }>
type IndexingStatus = keyof typeof INDEXING_STATUS_TABLE
export const INDEXING_STATUSES = Object.keys(INDEXING_STATUS_TABLE) as [IndexingStatus, ...IndexingStatus[]]
export const isFinalIndexingStatus = (status: string): boolean =>
  INDEXING_STATUS_TABLE[status as IndexingStatus]?.isFinal ?? false

/** What lists show of a document, and filter by. */
export const DISPLAY_STATUS_COLORS = {
  available: 'succeeded',
  queuing: 'queued',
  indexing: 'running',
  paused: 'paused',
  error: 'failed',
  disabled: 'stopped',
  archived: 'stopped',
} as const satisfies Record<string, StatusColor>
type DisplayStatus = keyof typeof DISPLAY_STATUS_COLORS
export const DISPLAY_STATUSES = Object.keys(DISPLAY_STATUS_COLORS) as [DisplayStatus, ...DisplayStatus[]]

/** The states of a row of a batch. */
export const BATCH_ROW_STATE_COLORS = {
  waiting: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  stopped: 'stopped',
  unknown: 'unknown',
} as const satisfies Record<string, StatusColor>
