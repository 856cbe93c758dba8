import type { Call } from '#contract/calls.ts'
import type { CallRow } from './ledger.ts'

/**
 * The columns of a call that are small whatever the platform sent. `request`, `reply` and `answer` may be many megabytes
 * each: only who shows them reads them.
 */
export const SMALL = [
  'id',
  'entry',
  'status',
  'workspace_id',
  'key_id',
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
  'problem',
  'frames',
  'bytes',
  'created_at',
  'first_frame_ms',
  'first_token_ms',
  'duration_ms',
  'total_tokens',
  'total_price',
  'currency',
  'server_id',
]
  .map((name) => `calls.${name}`)
  .join(', ')

/** The call as the console's API shows it; `whole` adds what was sent and what came of it. */
export const callOf = (row: CallRow, whole: boolean): Call => ({
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
  duration_ms: row.duration_ms,
  first_token_ms: row.first_token_ms,
  total_tokens: row.total_tokens,
  total_price: row.total_price,
  currency: row.currency,
  frames: row.frames,
  ...(whole ? { params: row.params ?? {}, request: row.request, reply: row.reply } : {}),
})
