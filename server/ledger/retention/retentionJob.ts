import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { RetentionRow } from './retentionRow.ts'

/** Intervals in ms: between two passes, between two counts of stored data, and the pause between two steps. */
const RUN_INTERVAL_MS = 60_000
const COUNT_INTERVAL_MS = 10 * 60_000
const STEP_PAUSE_MS = 10
const DAY_MS = 24 * 3_600_000
/** Batch sizes of a step: calls counted, calls deleted, frames deleted. */
const CALLS_PER_COUNT = 2_000
const CALLS_PER_DELETE = 100
const FRAMES_PER_DELETE = 5_000
/** Pieces of large bodies, of up to a megabyte. */
const PIECES_PER_DELETE = 20

/** Stored (compressed) sizes of a call and of the files that are kept with it: no text is decompressed to measure it. */
const CALL_BYTES_SQL = `calls.bytes + ${['request', 'reply', 'answer', 'problem', 'search_text', 'resource_ids']
  .map((column) => `coalesce(pg_column_size(${column}), 0)`)
  .join(' + ')} + coalesce((SELECT sum(pg_column_size(data)) FROM body_pieces WHERE call_id = calls.id), 0)
  + coalesce((SELECT sum(kept_files.bytes) FROM kept_files WHERE run_id = calls.id), 0)`
/** The embedded database keeps no statistics, without which the planner would sort a whole workspace for each step. */
const INDEX_ONLY_SETTINGS =
  'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off'

/** False for a run that still waits for a person: its form can be answered until the deadline. */
const IS_NOT_AWAITED_SQL = `(status <> 'paused' OR NOT EXISTS (
  SELECT FROM paused_runs WHERE run_id = calls.id AND deadline > now()))`

/**
 * Deletes calls that exceed the retention rules or were purged, oldest first, in small batches, so that no request
 * waits for it. The state is in the table: after a restart the next pass continues.
 */
export class RetentionJob extends BackgroundJob {
  readonly #database: Database
  readonly #log: Logger

  constructor({ database, log }: { database: Database; log: Logger }) {
    super({
      run: () => this.#run(),
      onError: (err) => log.error({ err }, 'retention failed'),
      intervalMs: RUN_INTERVAL_MS,
    })
    this.#database = database
    this.#log = log
  }

  async #run(): Promise<void> {
    const { rows } = await this.#database.pool.query<RetentionRow>('SELECT * FROM retention')
    for (const row of rows) {
      if (this.isStopped) return
      const retentionCutoff = row.keep_days === null ? 0 : Date.now() - row.keep_days * DAY_MS
      const cutoff = Math.max(retentionCutoff, row.purge_before?.getTime() ?? 0)
      let removed = cutoff > 0 ? await this.#deleteCallsBefore(row.workspace_id, new Date(cutoff)) : 0
      if (this.isStopped) return
      if (row.purge_before)
        await this.#database.pool.query(
          'UPDATE retention SET purge_before = NULL WHERE workspace_id = $1 AND purge_before = $2',
          [row.workspace_id, row.purge_before],
        )
      const isCountStale = Date.now() - (row.counted_at?.getTime() ?? 0) > COUNT_INTERVAL_MS
      if (removed === 0 && !isCountStale && row.keep_megabytes === null) continue
      const limit = row.keep_megabytes === null ? Infinity : row.keep_megabytes * 1_000_000
      const sizeCutoff = await this.#countWorkspace(row.workspace_id, limit)
      if (sizeCutoff) removed += await this.#deleteCallsBefore(row.workspace_id, sizeCutoff)
      if (sizeCutoff && !this.isStopped) await this.#countWorkspace(row.workspace_id, Infinity)
      if (removed > 0) this.#log.info({ removed, workspace: row.workspace_id }, 'calls deleted')
    }
  }

  /** Counts what a workspace keeps, newest first. @returns the moment before which there is more than `limit` bytes. */
  async #countWorkspace(workspace_id: string, limit: number): Promise<Date | null> {
    let [calls, bytes] = [0, 0]
    let oldest: Date | null = null
    let cursor = { at: new Date(8_640_000_000_000), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
    for (;;) {
      if (this.isStopped) return null
      const rows = await this.#database.transaction(async (client) => {
        await client.query(INDEX_ONLY_SETTINGS)
        return (
          await client.query<{ at: Date; id: string; size: string }>(
            `SELECT created_at AS at, id, ${CALL_BYTES_SQL} AS size FROM calls
             WHERE workspace_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT ${CALLS_PER_COUNT}`,
            [workspace_id, cursor.at, cursor.id],
          )
        ).rows
      })
      for (const { at, size } of rows) {
        calls++
        bytes += Number(size)
        if (bytes > limit) return new Date((oldest ?? at).getTime())
        oldest = at
      }
      const last = rows.at(-1)
      if (!last || rows.length < CALLS_PER_COUNT) break
      cursor = last
      await pause(STEP_PAUSE_MS)
    }
    await this.#database.pool.query(
      'UPDATE retention SET counted_at = $2, calls = $3, bytes = $4, oldest = $5 WHERE workspace_id = $1',
      [workspace_id, new Date(), calls, bytes, oldest],
    )
    return null
  }

  /** @returns how many calls that began before the moment were removed; one that goes on, or waits for a person, stays. */
  async #deleteCallsBefore(workspace_id: string, before: Date): Promise<number> {
    let removed = 0
    for (;;) {
      if (this.isStopped) return removed
      const ids = await this.#findNextCallIds(workspace_id, before)
      if (ids.length === 0) return removed
      const { rowCount } = await this.#database.pool.query('DELETE FROM calls WHERE id = ANY($1)', [ids])
      removed += rowCount ?? 0
      await this.#database.pool.query(
        'UPDATE retention SET removed = removed + $2, removed_at = $3 WHERE workspace_id = $1',
        [workspace_id, rowCount ?? 0, new Date()],
      )
      await pause(STEP_PAUSE_MS)
    }
  }

  /** The oldest calls, whose frames are gone by then: a call that is there without them is removed by the next sweep. */
  async #findNextCallIds(workspace_id: string, before: Date): Promise<string[]> {
    const rows = await this.#database.transaction(async (client) => {
      await client.query(INDEX_ONLY_SETTINGS)
      return (
        await client.query<{ id: string; frames: number }>(
          `SELECT id, frames FROM calls WHERE workspace_id = $1 AND created_at < $2
           AND status NOT IN ('created', 'dispatched', 'streaming') AND ${IS_NOT_AWAITED_SQL} ORDER BY created_at, id LIMIT ${CALLS_PER_DELETE}`,
          [workspace_id, before],
        )
      ).rows
    })
    const ids: string[] = []
    for (let frames = 0; ids.length < rows.length;) {
      const row = rows[ids.length]
      if (!row) break
      frames += row.frames
      if (ids.length > 0 && frames > FRAMES_PER_DELETE) break
      ids.push(row.id)
    }
    // A single run may have more frames than one step deletes.
    const maxFrames = Math.max(0, ...rows.slice(0, ids.length).map((row) => row.frames))
    for (let upTo = FRAMES_PER_DELETE; upTo < maxFrames && !this.isStopped; upTo += FRAMES_PER_DELETE) {
      await this.#database.pool.query('DELETE FROM frames WHERE call_id = ANY($1) AND seq <= $2', [ids, upTo])
      await pause(STEP_PAUSE_MS)
    }
    if (this.isStopped) return []
    await this.#database.pool.query('DELETE FROM frames WHERE call_id = ANY($1)', [ids])
    await this.#database.pool.query('DELETE FROM frame_chunks WHERE call_id = ANY($1)', [ids])
    await this.#deleteBodies(ids)
    return this.isStopped ? [] : ids
  }

  async #deleteBodies(ids: string[]): Promise<void> {
    for (let deleted = PIECES_PER_DELETE; deleted === PIECES_PER_DELETE && !this.isStopped;) {
      const { rowCount } = await this.#database.pool.query(
        `DELETE FROM body_pieces WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM body_pieces WHERE call_id = ANY($1) LIMIT ${PIECES_PER_DELETE}))`,
        [ids],
      )
      deleted = rowCount ?? 0
      if (deleted > 0) await pause(STEP_PAUSE_MS)
    }
  }
}
