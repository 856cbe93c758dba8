import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { platformEntries } from '#contract/platformEntries.ts'
import type { Problem } from '#contract/problem.ts'
import {
  type DriftObservation,
  observeEvent,
  observeError,
  observeReply,
  reuseObservation,
  type SeenPaths,
  type LastEvents,
} from '#domain/contractDrift/observeReply.ts'
import { asJson } from '#domain/stream/untrustedJson.ts'
import { toStorableText } from '../db/storableText.ts'
import { Batcher } from '../jobs/batcher.ts'

/** Stored drifts per operation of a workspace: a platform that invents field names must not fill the disk. */
export const MAX_DRIFTS_PER_OPERATION = 100
/** Milliseconds between two updates of known drifts: only their count and their last time change. */
const FLUSH_INTERVAL_MS = 2_000
const MAX_SAMPLE_CHARS = 4_000
const PART_SEPARATOR = '\t'

interface DriftContext {
  workspace_id: string
  operation: string
  /** Null for a plain read, which the ledger does not record. */
  call_id: string | null
}

/**
 * Per operation of a workspace: the observed parts of the contract, how many of them are written, and the ids of the drifts.
 */
interface KnownDrift {
  observedParts: SeenPaths
  usualEvents: LastEvents
  writtenSizes: Map<string, number>
  driftIds: Set<string>
}

/**
 * Compares everything that a platform sends with the contract. Nothing here throws or blocks: a reply is checked in memory,
 * new drifts are written in the background, and known ones are counted and written every two seconds.
 */
export class DriftRecorder {
  readonly #pool: Pool
  readonly #onError: (error: unknown) => void
  /** By workspace and operation. */
  readonly #cache = new Map<string, KnownDrift>()
  #pendingRows = new Map<string, PendingDrift>()
  #pendingParts = new Map<string, { where: DriftContext; places: string[] }>()
  readonly #batcher = new Batcher(
    () => this.#pendingRows.size + this.#pendingParts.size > 0,
    () => this.#writePending(),
  )
  #timer: NodeJS.Timeout | null = null

  constructor(pool: Pool, onError: (error: unknown) => void) {
    this.#pool = pool
    this.#onError = onError
  }

  recordReply(context: DriftContext, status: number, body: unknown): void {
    const entry = platformEntries.get(context.operation)
    if (entry) this.#record(context, ({ observedParts }) => observeReply(entry, status, body, observedParts))
  }

  /** A call that ended with a problem: only the platform's own reply is checked. */
  recordProblem(context: DriftContext, { kind, upstream }: Problem): void {
    const entry = platformEntries.get(context.operation)
    if (!entry || !upstream) return
    const { status, body } = upstream
    if (kind === 'refused')
      this.#record(context, ({ observedParts }) => observeError(entry, status, body, observedParts))
    // A redirect, whose body is not read; or a reply that should be JSON but is not.
    else if (status >= 300) this.#record(context, () => [toStatusDrift(status)])
    else if (kind === 'mismatch' && body !== null) this.recordReply(context, status, body)
  }

  /** One event of a stream. Most events have the shape of the previous one and need no further check. */
  recordEvent(context: DriftContext, event: unknown): void {
    const { operation } = context
    this.#record(
      context,
      ({ observedParts, usualEvents }) =>
        reuseObservation(operation, event, usualEvents) ?? observeEvent(operation, event, observedParts, usualEvents),
    )
  }

  #getKnown({ workspace_id, operation }: DriftContext): KnownDrift {
    const name = `${workspace_id} ${operation}`
    let known = this.#cache.get(name)
    if (!known)
      this.#cache.set(
        name,
        (known = { observedParts: new Map(), usualEvents: new Map(), writtenSizes: new Map(), driftIds: new Set() }),
      )
    return known
  }

  #record(context: DriftContext, observe: (known: KnownDrift) => readonly DriftObservation[]): void {
    try {
      const name = `${context.workspace_id} ${context.operation}`
      const known = this.#getKnown(context)
      const observations = observe(known)
      for (const [part, seen] of known.observedParts) {
        const written = known.writtenSizes.get(part) ?? -1
        if (seen.size <= written) continue
        known.writtenSizes.set(part, seen.size)
        // An empty part was observed too.
        const newParts = [
          ...(written < 0 ? [part] : []),
          ...[...seen].slice(Math.max(0, written)).map((at) => `${part}${PART_SEPARATOR}${at}`),
        ]
        const pending = this.#pendingParts.get(name)
        if (pending) pending.places.push(...newParts)
        else this.#pendingParts.set(name, { where: context, places: newParts })
      }
      let isNew = this.#pendingParts.size > 0
      for (const one of observations) isNew = this.#countDrift(context, one, known.driftIds) || isNew
      if (isNew) this.#scheduleWrite()
      else if (observations.length > 0)
        this.#timer ??= setTimeout(() => this.#scheduleWrite(), FLUSH_INTERVAL_MS).unref()
    } catch (error) {
      this.#onError(error)
    }
  }

  #countDrift(context: DriftContext, one: DriftObservation, ids: Set<string>): boolean {
    const id = toDriftId(context.operation, one)
    const isNew = !ids.has(id)
    if (isNew && ids.size >= MAX_DRIFTS_PER_OPERATION) return false
    ids.add(id)
    const key = `${context.workspace_id} ${id}`
    const pending = this.#pendingRows.get(key)
    if (pending) pending.count++
    else this.#pendingRows.set(key, toPendingDrift(context, id, one))
    return isNew
  }

  #scheduleWrite(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#batcher.runSoon()
  }

  whenIdle = (): Promise<void> => this.#batcher.whenIdle()

  async #writePending(): Promise<void> {
    const rows = [...this.#pendingRows.values()]
    const places = [...this.#pendingParts.values()]
    this.#pendingRows = new Map()
    this.#pendingParts = new Map()
    // After a failed write the cache entry is deleted, so that the drift counts as new the next time.
    await this.#writeRows(rows, places).catch((error: unknown) => {
      for (const { workspace_id, operation } of [...rows, ...places.map(({ where }) => where)])
        this.#cache.delete(`${workspace_id} ${operation}`)
      this.#onError(error)
    })
  }

  /**
   * A workspace that was deleted meanwhile gets no rows. The order is fixed: two servers that write the same rows
   * must not deadlock.
   */
  async #writeRows(rows: PendingDrift[], parts: { where: DriftContext; places: string[] }[]): Promise<void> {
    const now = new Date().toISOString()
    const column = <Name extends keyof PendingDrift>(name: Name) => rows.map((row) => row[name])
    if (rows.length > 0)
      await this.#pool.query(
        `INSERT INTO drifts(workspace_id, id, operation, kind, event, path, value, sample, count, call_id, first_seen, last_seen)
         SELECT w, i, o, k, e, p, v, s::json, n, c, $11, $11
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::uuid[])
           AS row(w, i, o, k, e, p, v, s, n, c) JOIN workspaces ON workspaces.id = w
         WHERE EXISTS (SELECT 1 FROM drifts WHERE drifts.workspace_id = w AND drifts.id = i)
           OR (SELECT count(*) FROM drifts WHERE drifts.workspace_id = w AND drifts.operation = o) < ${MAX_DRIFTS_PER_OPERATION}
         ORDER BY w, i
         ON CONFLICT (workspace_id, id) DO UPDATE SET count = drifts.count + excluded.count,
           last_seen = greatest(drifts.last_seen, excluded.last_seen)`,
        [
          column('workspace_id'),
          column('id'),
          column('operation'),
          column('kind'),
          column('event'),
          column('path'),
          column('value'),
          column('sample'),
          column('count'),
          column('call_id'),
          now,
        ],
      )
    for (const { where, places: fresh } of parts)
      await this.#pool.query(
        `INSERT INTO observed_parts(workspace_id, operation, places, first_seen)
         SELECT id, $2, $3, $4 FROM workspaces WHERE id = $1
         ON CONFLICT (workspace_id, operation) DO UPDATE SET places =
           ARRAY(SELECT DISTINCT place FROM unnest(observed_parts.places || excluded.places) AS place ORDER BY place)`,
        [where.workspace_id, where.operation, fresh, now],
      )
  }
}

export function toSeenParts(paths: readonly string[]): SeenPaths {
  const parts: SeenPaths = new Map()
  for (const place of paths) {
    const [part = '', at] = place.split(PART_SEPARATOR)
    const seen = parts.get(part) ?? new Set()
    parts.set(part, seen)
    if (at !== undefined) seen.add(at)
  }
  return parts
}

interface PendingDrift {
  workspace_id: string
  id: string
  operation: string
  kind: string
  event: string | null
  path: string
  value: string | null
  sample: string
  count: number
  call_id: string | null
}

const toStatusDrift = (status: number): DriftObservation => ({
  kind: 'status',
  event: null,
  path: '',
  value: String(status),
  sample: status,
})

/** A stream may have the same drift in each of its frames: its id is computed once. */
const driftIdCache = new WeakMap<DriftObservation, string>()

function toDriftId(operation: string, one: DriftObservation): string {
  const known = driftIdCache.get(one)
  if (known !== undefined) return known
  const text = JSON.stringify([operation, one.kind, one.event, one.path, one.value])
  const id = createHash('sha1').update(text).digest('base64url')
  driftIdCache.set(one, id)
  return id
}

function toPendingDrift(
  { workspace_id, operation, call_id }: DriftContext,
  id: string,
  one: DriftObservation,
): PendingDrift {
  const sample = JSON.stringify(asJson(one.sample))
  return {
    workspace_id,
    id,
    operation,
    kind: one.kind,
    event: toStorableText(one.event, 100),
    path: toStorableText(one.path, 500) ?? '',
    value: toStorableText(one.value, 100),
    sample: sample.length > MAX_SAMPLE_CHARS ? JSON.stringify(`${sample.slice(0, MAX_SAMPLE_CHARS)}…`) : sample,
    count: 1,
    call_id,
  }
}
