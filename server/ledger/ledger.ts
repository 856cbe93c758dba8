import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import {
  ACTIVE_STATUSES,
  UNRESOLVED_STATUSES,
  type Frame,
  type RunGap,
  type RunStatus,
  mapRunFigures,
  RUN_FIGURES,
} from '#contract/console/runs.ts'
import {
  getFailureMessage,
  MAX_FAILURE_CHARS,
  toStorableInteger,
  toStorableId,
  toStorableJson,
  collectReplyText,
  MAX_SEARCH_TEXT_CHARS,
} from './callColumns.ts'
import { type CallEnd, type CallRow, type NewCall, SUMMARY_COLUMNS } from './callRow.ts'
import { UnconfirmedCalls } from './unconfirmedCalls.ts'
import { isAsleepSql, isSilentSql } from '../db/serverPresence.ts'
import { toStorableText } from '../db/storableText.ts'
import { type BatchedStatement, StatementBatcher } from '../db/statementBatcher.ts'
import { collectText } from './searchText.ts'
import { PIECE_CHARS, toBodyColumns, withLargeBodies, writeLargeBody } from './bodies/largeBody.ts'
import { readStoredFrames } from './frames/storedFrames.ts'

/** Maximum characters of requests and replies in a list with bodies. */
const MAX_LIST_CHARS = 16_000_000

/** The distinct ids that a call has named so far. */
const appendResourceIdsSql = (ids: string) =>
  `resource_ids || ARRAY(SELECT id FROM unnest(${ids}::text[]) AS named(id) WHERE id IS NOT NULL AND id <> ALL(resource_ids))`

type FrameBlock = Pick<Frame, 'at' | 'bytes' | 'block'>
interface FramePage {
  statuses: Map<string, RunStatus>
  silent: Set<string>
  frames: ({ id: string; seq: number } & FrameBlock)[]
}

/** A call without an end, of another server than the one that asks. */
export interface OrphanedCall extends CallRow {
  /** False for a server that is only silent, such as a paused process. */
  is_server_dead: boolean
}

/**
 * A server that takes over calls, and after how many milliseconds without a heartbeat it considers another one
 * silent.
 */
export interface Claimant {
  server_id: string
  silentAfterMs: number
}

/** The servers of some calls, each read once: `owners(owner_id, silent, asleep)`. A released call has none. */
const ownersSql = (calls: string, silentAfterMs: string): string => `owners AS MATERIALIZED (
    SELECT known.id AS owner_id, ${isSilentSql('known.id', silentAfterMs)} AS silent, ${isAsleepSql('known.id')} AS asleep
    FROM (SELECT DISTINCT server_id AS id FROM calls WHERE ${calls}) AS known)`

const splitTypes = (text: string): string[] => text.trim().split(/\s+/)

const INSERT_CALLS: BatchedStatement = {
  name: 'insert calls',
  types: splitTypes(
    `uuid text text uuid uuid uuid json json text text text text uuid uuid timestamptz text text[] text text uuid int text text uuid`,
  ),
  toSql: (rows: string) => `WITH new AS (
      SELECT * FROM (VALUES ${rows}) AS new(id, entry, status, person_id, workspace_id, key_id, params, request,
        request_hash, response_mode, title, end_user, parent_id, server_id, created_at, note, resource_ids, search_text,
        pinned_workflow_id, batch_id, number, origin, origin_id, request_body_id)
    ), row AS (
      SELECT run_id FROM batch_rows JOIN new ON new.batch_id = batch_rows.batch_id AND new.number = batch_rows.number
        AND new.id = batch_rows.run_id WHERE batch_rows.state = 'running'
      ORDER BY batch_rows.batch_id, batch_rows.number FOR SHARE OF batch_rows
    )
    INSERT INTO calls(id, entry, status, person_id, workspace_id, key_id, params, request, request_hash, response_mode,
      title, end_user, parent_id, server_id, created_at, note, resource_ids, search_text, pinned_workflow_id, origin, origin_id,
      request_body_id)
    SELECT id, entry, status, person_id, workspace_id, key_id, params, request, request_hash, response_mode,
      title, end_user, parent_id, server_id, created_at, note, resource_ids, search_text, pinned_workflow_id, origin, origin_id,
      request_body_id FROM new
    WHERE batch_id IS NULL OR id IN (SELECT run_id FROM row) ORDER BY id
    ON CONFLICT (id) DO NOTHING RETURNING id`,
}

const UPDATE_RUN_IDS: BatchedStatement = {
  name: 'update run ids',
  types: splitTypes(`uuid text text text text text text`),
  // A late event never overwrites known values.
  toSql: (rows: string) => `UPDATE calls SET status = CASE status WHEN 'dispatched' THEN 'streaming' ELSE status END,
      conversation_id = COALESCE(n.conversation, conversation_id), message_id = COALESCE(n.message, message_id),
      task_id = COALESCE(n.task, task_id), workflow_run_id = COALESCE(n.workflow_run, workflow_run_id),
      workflow_id = COALESCE(n.workflow, workflow_id), platform_version = COALESCE(n.version, platform_version),
      resource_ids = ${appendResourceIdsSql('ARRAY[n.conversation, n.message, n.task, n.workflow_run]')}
    FROM (VALUES ${rows}) AS n(call, conversation, message, task, workflow_run, workflow, version) WHERE calls.id = n.call RETURNING calls.id`,
}

const FIGURE_FIELDS = Object.values(RUN_FIGURES).map(({ field }) => field)

const UPDATE_ENDED_CALLS: BatchedStatement = {
  name: 'update ended calls',
  types: splitTypes(
    `uuid text int json json json int bigint int ${Object.values(mapRunFigures({ ms: 'int', count: 'int', price: 'text', currency: 'text' })).join(' ')} text text text text text text text[] text[] text json uuid float8 text uuid uuid`,
  ),
  toSql: (rows: string) => `UPDATE calls SET status = n.state, http_status = n.http, reply = n.whole, answer = n.folded,
      problem = n.fault, frames = n.count, bytes = n.size, first_frame_ms = n.first_frame,
      ${FIGURE_FIELDS.map((field) => `${field} = n.${field}`).join(', ')}, conversation_id = COALESCE(n.conversation, conversation_id),
      message_id = COALESCE(n.message, message_id), task_id = COALESCE(n.task, task_id),
      workflow_run_id = COALESCE(n.workflow_run, workflow_run_id), workflow_id = COALESCE(n.workflow, workflow_id),
      platform_version = COALESCE(n.version, platform_version),
      gaps = COALESCE(n.missed, gaps), error_message = n.failure, reply_body_id = n.reply_body, answer_body_id = n.answer_body, search_text = search_text || E'\\n' || n.said,
      resource_ids = ${appendResourceIdsSql('n.made')}
    FROM (VALUES ${rows}) AS n(call, state, http, whole, folded, fault, count, size, first_frame, ${FIGURE_FIELDS.join(', ')},
      conversation, message, task, workflow_run, workflow, said, made, before, version, missed, owner, silent, failure,
      reply_body, answer_body)
    WHERE calls.id = n.call AND (n.before IS NULL OR status = ANY(n.before))
      AND (n.owner IS NULL OR calls.server_id = n.owner)
      AND (n.silent IS NULL OR ${isSilentSql('calls.server_id', 'n.silent')})
    RETURNING ${SUMMARY_COLUMNS}, (SELECT name FROM people WHERE people.id = calls.person_id) AS person`,
}

/** A paused run that was resumed ends like an active one. */
export const STATUSES_BEFORE_END: Record<'active' | 'active_or_paused', readonly RunStatus[]> = {
  active: ACTIVE_STATUSES,
  active_or_paused: [...ACTIVE_STATUSES, 'paused'],
}

interface EndCallOptions {
  before?: keyof typeof STATUSES_BEFORE_END
  owner?: string | null
  silentAfterMs?: number | null
}

/** Milliseconds between two attempts to store the end of a call. */
const END_RETRY_INTERVAL_MS = 5_000

/** The ledger: calls, their frames, and resources. Only the relay and the run executor write to it. */
export class Ledger {
  readonly #pool: Pool
  readonly #onEnd: (end: CallEnd) => void
  readonly #onEndError: (id: string, error: unknown) => void
  readonly #unconfirmedCalls: UnconfirmedCalls
  readonly #insertBatcher: StatementBatcher<{ id: string }>
  readonly #runIdBatcher: StatementBatcher<{ id: string }>
  readonly #endBatcher: StatementBatcher<CallRow>

  constructor(
    pool: Pool,
    onEnd: (end: CallEnd) => void = () => undefined,
    onEndError: (id: string, error: unknown) => void = () => undefined,
  ) {
    this.#pool = pool
    this.#onEnd = onEnd
    this.#onEndError = onEndError
    this.#unconfirmedCalls = new UnconfirmedCalls(pool)
    this.#insertBatcher = new StatementBatcher(pool, INSERT_CALLS)
    this.#runIdBatcher = new StatementBatcher(pool, UPDATE_RUN_IDS)
    this.#endBatcher = new StatementBatcher(pool, UPDATE_ENDED_CALLS)
  }

  /**
   * @returns false when a call with that id exists, or the row of its batch belongs to another server; nothing is
   * written then
   */
  async insertCall(call: NewCall): Promise<boolean> {
    await this.#unconfirmedCalls.deleteLateInsert(call)
    const request = toBodyColumns(call.request)
    const values = [
      call.id,
      call.entry,
      call.status,
      call.person_id,
      call.workspace_id,
      call.key_id,
      toStorableJson(call.params),
      request.json,
      call.request_hash,
      call.response_mode,
      toStorableText(call.title, 200),
      toStorableText(call.end_user, 1000),
      call.parent_id,
      call.server_id,
      call.created_at ?? new Date(),
      toStorableText(call.note, 500),
      [...Object.values(call.params ?? {}), call.parent_id, call.origin?.id].filter((id) => id),
      toStorableText(`${call.title}\n${collectText(call.request, MAX_SEARCH_TEXT_CHARS)}`, MAX_SEARCH_TEXT_CHARS),
      toStorableId(call.pinned_workflow_id),
      call.batch_row?.batch_id ?? null,
      call.batch_row?.number ?? null,
      call.origin?.kind ?? null,
      call.origin?.id ?? null,
      request.body_id,
    ]
    const inserted = await this.#insertBatcher.execute(values).catch((error: unknown) => {
      this.#unconfirmedCalls.add(call, error)
      throw error
    })
    if (!inserted) return false
    await writeLargeBody(this.#pool, call.id, request, call.request).catch(async (error: unknown) => {
      // Nothing is sent: a remaining row would look active, and a retry would wait for it.
      await this.#pool
        .query(`DELETE FROM calls WHERE id = $1 AND status IN ('created', 'dispatched')`, [call.id])
        .catch((deleteError: unknown) => this.#unconfirmedCalls.add(call, deleteError))
      throw error
    })
    return true
  }

  /**
   * Records the first frame, its ids and the release that sent it: so the conversation of an active run is found, and
   * a run whose server dies has its ids.
   */
  async updateRunIds(
    id: string,
    ids: {
      conversation_id: string | null
      message_id: string | null
      task_id: string | null
      workflow_run_id: string | null
      workflow_id: string | null
    },
    platform_version: string | null = null,
  ): Promise<void> {
    await this.#runIdBatcher.execute([
      id,
      ...[ids.conversation_id, ids.message_id, ids.task_id, ids.workflow_run_id, ids.workflow_id].map((one) =>
        toStorableId(one),
      ),
      toStorableText(platform_version, 64),
    ])
  }

  async updateGaps(id: string, gaps: RunGap[]): Promise<void> {
    await this.#pool.query('UPDATE calls SET gaps = $2 WHERE id = $1', [id, toStorableJson(gaps)])
  }

  /**
   * `before`: only if the call has such a status, since another server may have ended it. `owner`: only if the run
   * belongs to that server. `silentAfterMs`: only if that server is still silent.
   * @returns the current row, like `findSummary`; null where it was not written
   */
  async endCall(
    id: string,
    end: CallEnd,
    { before, owner = null, silentAfterMs = null }: EndCallOptions = {},
  ): Promise<CallRow | null> {
    const [reply, answer] = [toBodyColumns(end.reply), toBodyColumns(end.answer)]
    await writeLargeBody(this.#pool, id, reply, end.reply)
    await writeLargeBody(this.#pool, id, answer, end.answer)
    const row = await this.#endBatcher.execute([
      id,
      end.status,
      end.http_status ?? null,
      reply.json,
      answer.json,
      toStorableJson(end.problem),
      end.frames ?? 0,
      end.bytes ?? 0,
      toStorableInteger(end.first_frame_ms),
      ...Object.values(RUN_FIGURES).map((figure) =>
        figure.unit === 'ms' || figure.unit === 'count'
          ? toStorableInteger(end[figure.field])
          : toStorableText(end[figure.field], 64),
      ),
      toStorableId(end.conversation_id),
      toStorableId(end.message_id),
      toStorableId(end.task_id),
      toStorableId(end.workflow_run_id),
      toStorableId(end.workflow_id),
      toStorableText(collectReplyText(end), MAX_SEARCH_TEXT_CHARS),
      (end.resource_ids ?? []).map((made) => toStorableText(made, 255)),
      before ? STATUSES_BEFORE_END[before] : null,
      toStorableText(end.platform_version, 64),
      toStorableJson(end.gaps?.length ? end.gaps : null),
      owner,
      silentAfterMs,
      toStorableText(getFailureMessage(end), MAX_FAILURE_CHARS),
      reply.body_id,
      answer.body_id,
    ])
    this.#onEnd(end)
    return row
  }

  /** Like `endCall`, for an end that must not be lost: if it cannot be stored, it is retried in the background. */
  async endCallEventually(id: string, end: CallEnd): Promise<void> {
    await this.endCall(id, end).catch((error: unknown) => {
      this.#onEndError(id, error)
      void this.retryEndCall(id, end)
    })
  }

  /**
   * Retries at intervals to store an end: the database may be unavailable for an hour. Until then the call looks
   * active.
   * @returns true once it is stored, false if the database is closed before
   */
  async retryEndCall(id: string, end: CallEnd, options?: EndCallOptions): Promise<boolean> {
    for (;;) {
      await wait(END_RETRY_INTERVAL_MS, undefined, { ref: false })
      if (this.#pool.ending) return false
      const isStored = await this.endCall(id, end, options).then(
        () => true,
        () => false,
      )
      if (isStored) return true
    }
  }

  /**
   * Stores the platform's current state of a run that ended without a terminal event; a run with one is not changed.
   * With `recalculated`: the result of reading the frames of an ended run again, if the run still has that status.
   */
  async reconcileCall(
    id: string,
    end: Omit<CallEnd, 'duration_ms'> & { duration_ms?: number },
    recalculated?: { status: RunStatus; isNoted: boolean },
  ): Promise<void> {
    const [reply, answer] = [toBodyColumns(end.reply), toBodyColumns(end.answer)]
    await writeLargeBody(this.#pool, id, reply, end.reply)
    await writeLargeBody(this.#pool, id, answer, end.answer)
    await this.#pool.query(
      `UPDATE calls SET status = $2, reply = $3, answer = $4, problem = $5, total_tokens = COALESCE($6, total_tokens),
         workflow_run_id = COALESCE($7, workflow_run_id), search_text = search_text || E'\\n' || $8,
         resource_ids = ${appendResourceIdsSql('$9')}, duration_ms = COALESCE($10, duration_ms),
         workflow_id = COALESCE($11, workflow_id), error_message = $12, reply_body_id = $13, answer_body_id = $14,
         earlier_status = COALESCE(earlier_status, $16)
       WHERE id = $1 AND status = ANY($15)`,
      [
        id,
        end.status,
        reply.json,
        answer.json,
        toStorableJson(end.problem),
        toStorableInteger(end.total_tokens),
        toStorableId(end.workflow_run_id),
        toStorableText(collectReplyText({ ...end, duration_ms: 0 }), MAX_SEARCH_TEXT_CHARS),
        (end.resource_ids ?? []).map((made) => toStorableText(made, 255)),
        toStorableInteger(end.duration_ms),
        toStorableId(end.workflow_id),
        toStorableText(getFailureMessage(end), MAX_FAILURE_CHARS),
        reply.body_id,
        answer.body_id,
        recalculated ? [recalculated.status] : UNRESOLVED_STATUSES,
        recalculated?.isNoted ? recalculated.status : null,
      ],
    )
  }

  /** The run of a key that names this id, or null. */
  async findRunIdByResource(key_id: string, id: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `SELECT id FROM calls WHERE resource_ids @> $2 AND key_id = $1 AND entry = 'workflows.run' ORDER BY created_at LIMIT 1`,
      [key_id, [id]],
    )
    return rows[0]?.id ?? null
  }

  async findSummary(id: string): Promise<CallRow | null> {
    const { rows } = await this.#pool.query<CallRow>(
      `SELECT ${SUMMARY_COLUMNS}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id WHERE calls.id = $1`,
      [id],
    )
    return rows[0] ?? null
  }

  /** Calls in the order of their ids, without request and reply bodies. */
  async listSummaries(ids: string[]): Promise<CallRow[]> {
    const { rows } = await this.#pool.query<CallRow>(
      `SELECT ${SUMMARY_COLUMNS}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
       WHERE calls.id = ANY($1)`,
      [ids],
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  /** The first of these calls with bodies: at least one, and none after `MAX_LIST_CHARS` characters. */
  async listWithBodies(ids: string[]): Promise<CallRow[]> {
    const found: CallRow[] = []
    for (let index = 0, size = 0; index < ids.length && size < MAX_LIST_CHARS; index++) {
      const { rows } = await this.#pool.query<CallRow & { size: number }>(
        `SELECT ${SUMMARY_COLUMNS}, calls.request, calls.reply, calls.request_body_id, calls.reply_body_id,
           people.name AS person, coalesce(length(calls.request::text), 0) + coalesce(length(calls.reply::text), 0) + (
             SELECT count(*)::int FROM body_pieces WHERE call_id = calls.id AND body_id IN (calls.request_body_id, calls.reply_body_id)
           ) * ${PIECE_CHARS} AS size
         FROM calls LEFT JOIN people ON people.id = calls.person_id WHERE calls.id = $1`,
        [ids[index]],
      )
      for (const row of rows) found.push(await withLargeBodies(this.#pool, row))
      size += rows[0]?.size ?? 0
    }
    return found
  }

  async findWithBody(id: string): Promise<CallRow | null> {
    const { rows } = await this.#pool.query<CallRow>(
      'SELECT calls.*, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id WHERE calls.id = $1',
      [id],
    )
    return rows[0] ? withLargeBodies(this.#pool, rows[0]) : null
  }

  /** At most `limit` frames, and none after `bytes` of them. */
  readFrames(id: string, after: number, limit: number, bytes = Number.MAX_SAFE_INTEGER): Promise<Frame[]> {
    return readStoredFrames(this.#pool, id, after, limit, bytes)
  }

  /** All frames of a run, in pages limited by `limit` and `bytes`. */
  async *readFramePages(id: string, limit: number, bytes: number): AsyncGenerator<Frame[]> {
    for (let page = await this.readFrames(id, 0, limit, bytes); page.length > 0;) {
      yield page
      page = await this.readFrames(id, page.at(-1)?.seq ?? 0, limit, bytes)
    }
  }

  /**
   * For several calls at once, in one snapshot of the table: their state, and the frames after those that are known,
   * so that an ended call has no further ones. Limits: frames per call, and bytes of all calls, but at least one
   * frame per call. Sealed frames do not change and are read separately. `silentAfterMs` is null with one server.
   */
  async readFramesAfter(
    positions: readonly { id: string; seq: number }[],
    limit: number,
    bytes: number,
    silentAfterMs: number | null = null,
  ): Promise<FramePage> {
    const { rows } = await this.#pool.query<
      {
        id: string
        status: RunStatus
        silent: boolean
        known_seq: number
        is_sealed: boolean
        seq: number | null
      } & FrameBlock
    >(
      `SELECT id, status, silent, known_seq, is_sealed, seq, at, bytes, block FROM (
         SELECT known.id, calls.status, known.seq AS known_seq, page.seq,
           EXISTS (SELECT FROM frame_chunks WHERE call_id = known.id AND last_seq > known.seq) AS is_sealed,
           status = ANY($6) AND $5::float8 IS NOT NULL AND ${isSilentSql('calls.server_id', '$5::float8')} AS silent, page.at, page.bytes, page.block,
           row_number() OVER (PARTITION BY known.id ORDER BY page.seq) AS place,
           sum(page.bytes) OVER (ORDER BY known.id, page.seq) - page.bytes AS before
         FROM unnest($1::uuid[], $2::int[]) AS known(id, seq) JOIN calls ON calls.id = known.id
         LEFT JOIN LATERAL (
           SELECT seq, at, bytes, block FROM frames WHERE call_id = known.id AND seq > known.seq ORDER BY seq LIMIT $3
         ) AS page ON true
       ) AS pages WHERE place = 1 OR before < $4 ORDER BY id, seq`,
      [positions.map(({ id }) => id), positions.map(({ seq }) => seq), limit, bytes, silentAfterMs, ACTIVE_STATUSES],
    )
    const frames: FramePage['frames'] = []
    for (const { id, is_sealed, seq, at, bytes, block } of rows)
      if (seq !== null && !is_sealed) frames.push({ id, seq, at, bytes, block })
    for (const { id, known_seq } of new Map(rows.filter((row) => row.is_sealed).map((row) => [row.id, row])).values())
      for (const frame of await this.readFrames(id, known_seq, limit, bytes)) frames.push({ id, ...frame })
    const silent = new Set(rows.filter((row) => row.silent).map(({ id }) => id))
    return { statuses: new Map(rows.map(({ id, status }) => [id, status])), silent, frames }
  }

  /**
   * Moves a run of a silent server to another one, unless it has ended or was moved meanwhile. A heartbeat waits for
   * it, so that a server that wakes up sees everything that was taken. The status does not change.
   * @returns whether it was moved
   */
  async takeOver(
    row: Pick<CallRow, 'id' | 'status' | 'server_id'>,
    { server_id, silentAfterMs }: Claimant,
  ): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `WITH owner AS MATERIALIZED (SELECT seen_at FROM servers WHERE id = $3 FOR SHARE)
       UPDATE calls SET server_id = $4 WHERE id = $1 AND status = $2 AND server_id IS NOT DISTINCT FROM $3
         AND NOT EXISTS (SELECT 1 FROM owner WHERE seen_at > now() - $5 * interval '1 millisecond')`,
      [row.id, row.status, row.server_id, server_id, silentAfterMs],
    )
    return rowCount === 1
  }

  /** Releases the paused runs of a server, so that any other one may take them. */
  async releasePausedRuns(server_id: string): Promise<void> {
    await this.#pool.query(`UPDATE calls SET server_id = NULL WHERE status = 'paused' AND server_id = $1`, [server_id])
  }

  /** Resumes a paused run of that server. @returns false where it belongs to another one by now */
  async resumeCall(id: string, server_id: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE calls SET status = CASE status WHEN 'paused' THEN 'streaming' ELSE status END WHERE id = $1 AND server_id = $2`,
      [id, server_id],
    )
    return rowCount === 1
  }

  /** The paused runs of a server and of dead ones, newest first. */
  async listPausedRuns({ server_id, silentAfterMs }: Claimant, limit: number): Promise<CallRow[]> {
    const { rows } = await this.#pool.query<CallRow>(
      `WITH ${ownersSql(`status = 'paused'`, '$2')}
       SELECT ${SUMMARY_COLUMNS} FROM calls JOIN owners ON owners.owner_id IS NOT DISTINCT FROM calls.server_id
       WHERE status = 'paused' AND workflow_run_id IS NOT NULL
       AND (server_id = $1 OR (owners.silent AND NOT owners.asleep))
       ORDER BY created_at DESC LIMIT $3`,
      [server_id, silentAfterMs, limit],
    )
    return rows
  }

  /**
   * Calls without an end of other, dead servers, oldest first. Of a server that is silent for `silentAfterMs` (of the
   * database's clock) but not dead, only runs whose events the platform offers: another server may continue to read
   * them.
   */
  async listOrphans(
    { server_id, silentAfterMs }: Claimant,
    after: { created_at: Date; id: string } | null,
  ): Promise<OrphanedCall[]> {
    const { rows } = await this.#pool.query<OrphanedCall>(
      `WITH ${ownersSql('status = ANY($5)', '$2')}
       SELECT ${SUMMARY_COLUMNS}, NOT owners.asleep AS is_server_dead
       FROM calls JOIN owners ON owners.owner_id IS NOT DISTINCT FROM calls.server_id
       WHERE status = ANY($5) AND server_id IS DISTINCT FROM $1 AND owners.silent AND (NOT owners.asleep OR (
         workflow_run_id IS NOT NULL AND EXISTS (SELECT 1 FROM keys
           WHERE keys.id = calls.key_id AND keys.capabilities #>> '{runEvents,state}' = 'offered')))
       AND (created_at, id) > ($3, $4) ORDER BY created_at, id LIMIT 500`,
      [server_id, silentAfterMs, after?.created_at ?? new Date(0), after?.id ?? NIL_UUID, ACTIVE_STATUSES],
    )
    return rows
  }
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
