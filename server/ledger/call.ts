import type { Call } from '#contract/calls.ts'
import type { CallRow } from './ledger.ts'

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
