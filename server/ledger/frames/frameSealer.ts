import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { ACTIVE_STATUSES, type Frame } from '#contract/console/runs.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import { encodeChunk, MAX_CHUNK_BYTES, MAX_CHUNK_FRAMES, takeChunk } from './frameChunk.ts'

/** Milliseconds: between two passes, and the pause between two chunks, in which requests use the embedded database. */
const SEAL_INTERVAL_MS = 5_000
const STEP_PAUSE_MS = 5
const RUNS_PER_PAGE = 200
/** Passes that may wait for a quiet moment before one runs anyway. */
const MAX_POSTPONEMENTS = 6
/** A larger journal is a backlog, as after an upgrade: its work is announced, and its progress is logged. */
const BACKLOG_BYTES = 64 * 1024 * 1024
const PROGRESS_INTERVAL_MS = 30_000
/** Maximum size of sealed frames as a fraction of the journal, including indexes. */
const SEALED_FRACTION = 0.15
/** Bytes of a frame in the journal in addition to its block, including indexes. */
const JOURNAL_OVERHEAD_BYTES = 130
/** The estimated speed of sealing. */
const JOURNAL_BYTES_PER_SECOND = 461 / 68e-6

const FIRST_CURSOR = '00000000-0000-0000-0000-000000000000'

interface JournaledRun {
  id: string
  is_active: boolean
  frames: number
}
interface Backlog {
  /** Size of the journal at the beginning. */
  bytes: number
  sealedBytes: number
  startedAt: number
  loggedAt: number
}

/**
 * Moves frames from the journal (`frames`, one row each, written during a run) into compressed chunks
 * (`frame_chunks`): those of runs that ended `sealAfterMs` ago, and the older ones of long active runs. One statement
 * inserts a chunk and deletes its frames, so that a crash, or a second server with the same run, loses nothing.
 */
export class FrameSealer extends BackgroundJob {
  readonly #pool: Pool
  readonly #log: Pick<Logger, 'info'>
  readonly #sealAfterMs: number
  readonly #isQuiet: () => boolean
  readonly #hasSpace: () => boolean
  readonly #backlogBytes: number
  readonly #progressIntervalMs: number
  #postponements = 0
  #isBacklogKnown = false
  #backlog: Backlog | null = null

  constructor({
    pool,
    log,
    sealAfterMs,
    isQuiet = () => true,
    hasSpace = () => true,
    backlogBytes = BACKLOG_BYTES,
    progressIntervalMs = PROGRESS_INTERVAL_MS,
  }: {
    pool: Pool
    log: Pick<Logger, 'info' | 'error'>
    sealAfterMs: number
    isQuiet?: () => boolean
    /** Chunks need space before the journal frees any. */
    hasSpace?: () => boolean
    backlogBytes?: number
    progressIntervalMs?: number
  }) {
    super({
      run: () => this.#run(),
      onError: (err) => log.error({ err }, 'seal frames failed'),
      intervalMs: SEAL_INTERVAL_MS,
    })
    this.#pool = pool
    this.#log = log
    this.#sealAfterMs = sealAfterMs
    this.#isQuiet = isQuiet
    this.#hasSpace = hasSpace
    this.#backlogBytes = backlogBytes
    this.#progressIntervalMs = progressIntervalMs
  }

  async #run(): Promise<void> {
    if (!this.#hasSpace()) return
    if (!this.#isQuiet() && this.#postponements++ < MAX_POSTPONEMENTS) return
    this.#postponements = 0
    let cursor: string | null = FIRST_CURSOR
    while (cursor !== null && !this.isStopped && this.#hasSpace()) cursor = await this.#sealPage(cursor)
    if (cursor === null) this.#endBacklog()
  }

  /**
   * @returns the id after which the next page begins; null after the last page; `after` if a stop or a full disk
   * interrupts the page
   */
  async #sealPage(after: string): Promise<string | null> {
    const { runs, last } = await this.#listRuns(after)
    for (const run of runs) {
      await this.#sealRun(run)
      if (this.isStopped || !this.#hasSpace()) return after
    }
    return last
  }

  /** Runs with frames in the journal: one index lookup each, however many frames there are. */
  async #listRuns(after: string): Promise<{ runs: JournaledRun[]; last: string | null }> {
    const { rows } = await this.#pool.query<JournaledRun & { is_due: boolean }>(
      `WITH RECURSIVE journaled(id, position) AS (
         (SELECT call_id, 1 FROM frames WHERE call_id > $1 ORDER BY call_id LIMIT 1)
         UNION ALL
         SELECT (SELECT call_id FROM frames WHERE call_id > journaled.id ORDER BY call_id LIMIT 1), position + 1
         FROM journaled WHERE journaled.id IS NOT NULL AND position < ${RUNS_PER_PAGE}
       )
       SELECT journaled.id, coalesce(calls.status = ANY($2), false) AS is_active,
         CASE WHEN calls.status = ANY($2) THEN
           (SELECT seq FROM frames WHERE call_id = journaled.id ORDER BY seq DESC LIMIT 1)
           - (SELECT seq FROM frames WHERE call_id = journaled.id ORDER BY seq LIMIT 1) + 1 ELSE 0 END AS frames,
         coalesce(calls.status <> 'paused' AND (calls.status = ANY($2)
           OR calls.created_at + coalesce(calls.duration_ms, 0) * interval '1 millisecond'
             <= now() - $3::float8 * interval '1 millisecond'), false) AS is_due
       FROM journaled LEFT JOIN calls ON calls.id = journaled.id WHERE journaled.id IS NOT NULL ORDER BY journaled.id`,
      [after, ACTIVE_STATUSES, this.#sealAfterMs],
    )
    return {
      runs: rows.filter(({ is_due, is_active, frames }) => is_due && (!is_active || frames > 2 * MAX_CHUNK_FRAMES)),
      last: rows.length < RUNS_PER_PAGE ? null : (rows.at(-1)?.id ?? null),
    }
  }

  /** The newest frames of an active run stay in the journal. */
  async #sealRun({ id, is_active, frames }: JournaledRun): Promise<void> {
    await this.#announceBacklog()
    let left = is_active ? frames - MAX_CHUNK_FRAMES : Infinity
    while (left > 0 && !this.isStopped) {
      const sealed = await this.sealNextChunk(id)
      if (sealed.frames === 0) return
      left -= sealed.frames
      this.#logProgress(sealed.bytes + sealed.frames * JOURNAL_OVERHEAD_BYTES)
      await pause(STEP_PAUSE_MS)
    }
  }

  /**
   * Seals the first frames of a run in the journal. Frames that are sealed already were committed again later by an
   * abandoned connection; they are deleted.
   * @returns the number and the bytes of the frames that left the journal
   */
  async sealNextChunk(id: string): Promise<{ frames: number; bytes: number }> {
    const { rows } = await this.#pool.query<Omit<Frame, 'raw'> & { raw: Buffer | null; is_sealed: boolean }>(
      `SELECT seq, at, bytes, block, raw,
         EXISTS (SELECT FROM frame_chunks AS chunk WHERE chunk.call_id = $1 AND seq BETWEEN chunk.first_seq AND chunk.last_seq) AS is_sealed
       FROM (
         SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM frames WHERE call_id = $1
         ORDER BY seq LIMIT ${MAX_CHUNK_FRAMES}
       ) AS page WHERE before < ${MAX_CHUNK_BYTES} ORDER BY seq`,
      [id],
    )
    const repeated = rows.filter(({ is_sealed }) => is_sealed)
    if (repeated.length > 0) {
      const seqs = repeated.map(({ seq }) => seq)
      await this.#pool.query('DELETE FROM frames WHERE call_id = $1 AND seq = ANY($2)', [id, seqs])
      return { frames: repeated.length, bytes: 0 }
    }
    const taken = takeChunk(
      rows.map(({ raw, is_sealed: _, ...frame }) => (raw ? { ...frame, raw: raw.toString('base64') } : frame)),
    )
    if (taken.length === 0) return { frames: 0, bytes: 0 }
    const chunk = await encodeChunk(taken)
    const { rowCount } = await this.#pool.query(
      `WITH call AS (SELECT id FROM calls WHERE id = $1 FOR KEY SHARE), sealed AS (
         INSERT INTO frame_chunks(call_id, first_seq, last_seq, first_at, last_at, bytes, data)
         SELECT id, $2, $3, $4, $5, $6, $7 FROM call
         WHERE EXISTS (SELECT FROM frames WHERE call_id = $1 AND seq = $2) ON CONFLICT DO NOTHING RETURNING call_id
       )
       DELETE FROM frames USING sealed WHERE frames.call_id = sealed.call_id AND seq BETWEEN $2 AND $3`,
      [id, chunk.first_seq, chunk.last_seq, chunk.first_at, chunk.last_at, chunk.bytes, chunk.data],
    )
    return { frames: rowCount ?? 0, bytes: chunk.bytes }
  }

  /** Logged once, with the first sealed run: the table keeps its size until it is vacuumed. */
  async #announceBacklog(): Promise<void> {
    if (this.#isBacklogKnown) return
    this.#isBacklogKnown = true
    const { rows } = await this.#pool.query<{ bytes: string }>(`SELECT pg_total_relation_size('frames') AS bytes`)
    const bytes = Number(rows[0]?.bytes ?? 0)
    if (bytes < this.#backlogBytes) return
    const now = performance.now()
    this.#backlog = { bytes, sealedBytes: 0, startedAt: now, loggedAt: now }
    const needs_bytes = Math.round(bytes * SEALED_FRACTION)
    const needs_seconds = Math.ceil(bytes / JOURNAL_BYTES_PER_SECOND)
    this.#log.info({ journal_bytes: bytes, needs_bytes, needs_seconds }, 'stored frames are being sealed')
  }

  #logProgress(bytes: number): void {
    const backlog = this.#backlog
    if (!backlog) return
    backlog.sealedBytes += bytes
    const now = performance.now()
    if (now - backlog.loggedAt < this.#progressIntervalMs) return
    backlog.loggedAt = now
    const fraction = Math.min(1, backlog.sealedBytes / backlog.bytes)
    const seconds = (now - backlog.startedAt) / 1000
    this.#log.info(
      { sealed_bytes: backlog.sealedBytes, seconds_left: Math.round(seconds / fraction - seconds) },
      'stored frames are being sealed',
    )
  }

  #endBacklog(): void {
    if (!this.#backlog) return
    const { sealedBytes, startedAt } = this.#backlog
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    this.#log.info({ sealed_bytes: sealedBytes, seconds }, 'stored frames were sealed')
    this.#backlog = null
  }
}
