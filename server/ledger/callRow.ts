import type { Call } from '#contract/console/calls.ts'
import type { Problem } from '#contract/problem.ts'
import {
  type Run,
  type RunGap,
  type RunOrigin,
  type RunOriginKind,
  type RunRating,
  type RunStatus,
  pickRunFigures,
  RUN_FIGURES,
  type RunFigures,
} from '#contract/console/runs.ts'
import type { calls } from './schema.ts'

export interface NewCall {
  id: string
  entry: string
  status: RunStatus
  person_id: string | null
  workspace_id: string
  key_id: string
  params: Record<string, string> | null
  request: unknown
  request_hash: string | null
  response_mode: string | null
  title: string
  end_user: string | null
  parent_id: string | null
  /** The version of a workflow that the request asked for. */
  pinned_workflow_id?: string | null
  server_id: string
  note?: string | null
  /** Where a run was started, and the batch or board. */
  origin?: { kind: RunOriginKind; id: string | null } | null
  /** The row of a batch that it belongs to: nothing is written once the row has another call. */
  batch_row?: { batch_id: string; number: number }
  /** When it began, for one that did not begin here; default: now. */
  created_at?: Date
}

/** The columns that are updated when the call ends. */
export interface CallEnd extends Partial<RunFigures> {
  status: RunStatus
  http_status?: number | null
  reply?: unknown
  answer?: unknown
  problem?: Problem | null
  frames?: number
  bytes?: number
  first_frame_ms?: number | null
  duration_ms: number
  conversation_id?: string | null
  message_id?: string | null
  task_id?: string | null
  workflow_run_id?: string | null
  workflow_id?: string | null
  /** The platform's release, as a run's response named it. */
  platform_version?: string | null
  /** Ids of resources that the reply created. */
  resource_ids?: string[]
  /** Parts of a resumed stream that were missed. */
  gaps?: RunGap[]
}

type StoredCall = typeof calls.$inferSelect
type BodyIdColumn = 'request_body_id' | 'reply_body_id' | 'answer_body_id'
type BodyColumn = 'params' | 'request' | 'reply' | 'answer'

/** The ids of the bodies of a call that are in pieces. */
export type LargeBodyIds = Partial<Pick<StoredCall, BodyIdColumn>>

/** A row of `calls`, mostly without its bodies, and the name of its person. */
export type CallRow = Omit<
  StoredCall,
  BodyColumn | BodyIdColumn | 'entry' | 'response_mode' | 'person_id' | 'resource_ids' | 'search_text'
> &
  Partial<Pick<StoredCall, BodyColumn | BodyIdColumn>> & {
    entry: Run['entry']
    response_mode: Run['response_mode']
    person: string | null
  }

/** What lists show of a call that is not in its row. */
export interface CallContext {
  /** The name of its batch or board, if the person may see it. */
  originName?: string | null
  excerpt?: string | undefined
  rating?: RunRating | null
}

/**
 * The columns of a call that are always small. `request`, `reply` and `answer` may be many megabytes each, so that
 * they are read only where they are shown.
 */
export const SUMMARY_COLUMNS = [
  'id',
  'entry',
  'status',
  'workspace_id',
  'key_id',
  'params',
  'request_hash',
  'response_mode',
  'title',
  'note',
  'end_user',
  'parent_id',
  'http_status',
  'conversation_id',
  'message_id',
  'task_id',
  'workflow_run_id',
  'workflow_id',
  'pinned_workflow_id',
  'problem',
  'frames',
  'bytes',
  'created_at',
  'first_frame_ms',
  ...Object.values(RUN_FIGURES).map(({ field }) => field),
  'server_id',
  'platform_version',
  'gaps',
  'origin',
  'origin_id',
  'tags',
  'run_note',
  'error_message',
  'earlier_status',
]
  .map((name) => `calls.${name}`)
  .join(', ')

/** `withBodies` adds request and reply bodies. */
export const toCall = (row: CallRow, withBodies: boolean, context: CallContext = {}): Call => ({
  id: row.id,
  entry: row.entry,
  status: row.status,
  workspace: row.workspace_id,
  key: row.key_id,
  person: row.person,
  user: row.end_user,
  title: row.title,
  note: row.note,
  parent: row.parent_id,
  http_status: row.http_status,
  problem: row.problem,
  created_at: row.created_at.toISOString(),
  ...pickRunFigures(row),
  frames: row.frames,
  conversation_id: row.conversation_id,
  workflow_id: row.workflow_id,
  params: row.params ?? {},
  ...toCallMarks(row, context),
  ...(withBodies ? { request: row.request, reply: row.reply } : {}),
})

export const toCallMarks = (row: CallRow, { originName = null, excerpt, rating }: CallContext) => ({
  origin: toOrigin(row, originName),
  tags: row.tags ?? [],
  run_note: row.run_note,
  error_message: row.error_message,
  ...(excerpt === undefined ? {} : { excerpt }),
  ...(rating === undefined ? {} : { rating }),
})

/** An id without a name belongs to something deleted or out of scope. */
const toOrigin = ({ origin, origin_id }: CallRow, name: string | null): RunOrigin | null =>
  origin === null ? null : { kind: origin, id: name === null ? null : origin_id, name }
