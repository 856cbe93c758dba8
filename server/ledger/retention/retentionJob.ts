import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { ResourceStore } from '../resources.ts'
import { CallDeleter, CALLS_PER_DELETE, type DeletableCall, STEP_PAUSE_MS } from './callDeleter.ts'
import { EndUserEraser } from './endUserEraser.ts'
import { INDEX_ONLY_SETTINGS } from './indexOnlySettings.ts'
import type { retention } from '../schema.ts'

/** Intervals in ms: between two passes, and between two counts of stored data. */
const RUN_INTERVAL_MS = 60_000
const COUNT_INTERVAL_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000
const CALLS_PER_COUNT = 2_000

/** Compressed sizes of a call and of its saved files: nothing is decompressed to measure it. */
const CALL_BYTES_SQL = `${['request', 'reply', 'answer', 'problem', 'search_text', 'resource_ids']
  .map((column) => `coalesce(pg_column_size(${column}), 0)`)
  .join(' + ')} + coalesce((SELECT sum(pg_column_size(data)) FROM body_pieces WHERE call_id = calls.id), 0)`
const FILE_BYTES_SQL = 'coalesce((SELECT sum(kept_files.bytes) FROM kept_files WHERE run_id = calls.id), 0)'

/** False for a run that still waits for a person: its form can be answered until the deadline. */
const IS_NOT_AWAITED_SQL = `(status <> 'paused' OR NOT EXISTS (
  SELECT FROM paused_runs WHERE run_id = calls.id AND deadline > now()))`

/**
 * Deletes calls that exceed the retention rules or were purged, and those of erased end users, oldest first, in small
 * batches, so that no request waits for it. The state is in the tables: after a restart the next pass continues.
 */
export class RetentionJob extends BackgroundJob {
  readonly #database: Database
  readonly #log: Logger
  readonly #callDeleter: CallDeleter
  readonly #endUserEraser: EndUserEraser

  constructor({ database, log, resources }: { database: Database; log: Logger; resources: ResourceStore }) {
    super({
      run: () => this.#run(),
      onError: (err) => log.error({ err }, 'retention failed'),
      intervalMs: RUN_INTERVAL_MS,
    })
    this.#database = database
    this.#log = log
    const isStopped = () => this.isStopped
    const callDeleter = new CallDeleter({ pool: database.pool, isStopped })
    this.#callDeleter = callDeleter
    this.#endUserEraser = new EndUserEraser({ database, resources, callDeleter, isStopped })
  }

  async #run(): Promise<void> {
    const { rows } = await this.#database.pool.query<typeof retention.$inferSelect>('SELECT * FROM retention')
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
      removed += await this.#endUserEraser.run(row.workspace_id)
      if (this.isStopped) return
      const isCountStale = Date.now() - (row.counted_at?.getTime() ?? 0) > COUNT_INTERVAL_MS
      if (removed === 0 && !isCountStale && row.keep_megabytes === null) continue
      const limit = row.keep_megabytes === null ? Infinity : row.keep_megabytes * 1_000_000
      const sizeCutoff = await this.#countWorkspace(row.workspace_id, limit)
      if (sizeCutoff) removed += await this.#deleteCallsBefore(row.workspace_id, sizeCutoff)
      if (sizeCutoff && !this.isStopped) await this.#countWorkspace(row.workspace_id, Infinity)
      if (removed > 0) this.#log.info({ removed, workspace: row.workspace_id }, 'calls deleted')
    }
    await this.#deleteEmptyWorkspaces()
  }

  /** Deletes the settings of deleted workspaces that have no calls left. */
  async #deleteEmptyWorkspaces(): Promise<void> {
    await this.#database.pool.query(
      `DELETE FROM retention WHERE NOT EXISTS (SELECT FROM workspaces WHERE id = retention.workspace_id)
       AND NOT EXISTS (SELECT FROM erasures WHERE workspace_id = retention.workspace_id)
       AND NOT EXISTS (SELECT FROM calls WHERE workspace_id = retention.workspace_id)`,
    )
  }

  /**
   * Counts the stored data of a workspace, newest first. @returns the time before which there is more than `limit`
   * bytes
   */
  async #countWorkspace(workspace_id: string, limit: number): Promise<Date | null> {
    let [calls, bytes, frameBytes, fileBytes] = [0, 0, 0, 0]
    let oldest: Date | null = null
    let cursor = { at: new Date(8_640_000_000_000), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
    for (;;) {
      if (this.isStopped) return null
      const rows = await this.#database.transaction(async (client) => {
        await client.query(INDEX_ONLY_SETTINGS)
        return (
          await client.query<{ at: Date; id: string; call: string; frames: string; files: string }>(
            `SELECT created_at AS at, id, ${CALL_BYTES_SQL} AS call, calls.bytes AS frames, ${FILE_BYTES_SQL} AS files FROM calls
             WHERE workspace_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT ${CALLS_PER_COUNT}`,
            [workspace_id, cursor.at, cursor.id],
          )
        ).rows
      })
      for (const { at, call, frames, files } of rows) {
        calls++
        frameBytes += Number(frames)
        fileBytes += Number(files)
        bytes += Number(call) + Number(frames) + Number(files)
        if (bytes > limit) return new Date((oldest ?? at).getTime())
        oldest = at
      }
      const last = rows.at(-1)
      if (!last || rows.length < CALLS_PER_COUNT) break
      cursor = last
      await pause(STEP_PAUSE_MS)
    }
    await this.#database.pool.query(
      `UPDATE retention SET counted_at = $2, calls = $3, bytes = $4, oldest = $5, frame_bytes = $6, file_bytes = $7
       WHERE workspace_id = $1`,
      [workspace_id, new Date(), calls, bytes, oldest, frameBytes, fileBytes],
    )
    return null
  }

  /** Active and paused runs stay. @returns the number of removed calls that began before that time */
  async #deleteCallsBefore(workspace_id: string, before: Date): Promise<number> {
    let removed = 0
    while (!this.isStopped) {
      const calls = await this.#findOldestCalls(workspace_id, before)
      if (calls.length === 0) break
      removed += await this.#callDeleter.delete(workspace_id, calls)
    }
    return removed
  }

  #findOldestCalls(workspace_id: string, before: Date): Promise<DeletableCall[]> {
    return this.#database.transaction(async (client) => {
      await client.query(INDEX_ONLY_SETTINGS)
      return (
        await client.query<DeletableCall>(
          `SELECT id, frames FROM calls WHERE workspace_id = $1 AND created_at < $2
           AND status NOT IN ('created', 'dispatched', 'streaming') AND ${IS_NOT_AWAITED_SQL} ORDER BY created_at, id LIMIT ${CALLS_PER_DELETE}`,
          [workspace_id, before],
        )
      ).rows
    })
  }
}
