import type { Retention } from '#contract/console/retention.ts'

/** A row of `retention`. PostgreSQL gives its 64-bit counts as text. */
export interface RetentionRow {
  workspace_id: string
  keep_days: number | null
  keep_megabytes: number | null
  keep_file_megabytes: number
  purge_before: Date | null
  removed: string
  removed_at: Date | null
  counted_at: Date | null
  calls: string | null
  bytes: string | null
  frame_bytes: string | null
  file_bytes: string | null
  oldest: Date | null
}

/** A row of `erasures`: a request to erase the runs of an end user. */
export interface ErasureRow {
  end_user: string
  before: Date
}

export const toRetention = (row: RetentionRow, erasures: readonly ErasureRow[]): Retention => ({
  workspace: row.workspace_id,
  keep_days: row.keep_days,
  keep_megabytes: row.keep_megabytes,
  keep_file_megabytes: row.keep_file_megabytes,
  purge_before: row.purge_before?.toISOString() ?? null,
  erasures: erasures.map(({ end_user, before }) => ({ end_user, before: before.toISOString() })),
  removed: Number(row.removed),
  removed_at: row.removed_at?.toISOString() ?? null,
  counted_at: row.counted_at?.toISOString() ?? null,
  calls: row.calls === null ? null : Number(row.calls),
  bytes: row.bytes === null ? null : Number(row.bytes),
  frame_bytes: row.frame_bytes === null ? null : Number(row.frame_bytes),
  file_bytes: row.file_bytes === null ? null : Number(row.file_bytes),
  oldest: row.oldest?.toISOString() ?? null,
})
