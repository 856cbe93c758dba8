import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { platformEntries } from '#contract/entries.ts'
import type { Problem } from '#contract/problem.ts'
import {
  type Observed,
  observeEvent,
  observeRefusal,
  observeReply,
  recallEvent,
  type SeenParts,
  type Usual,
} from '#contract/observed.ts'
import { asJson } from '#contract/untrusted.ts'
import { keepable } from '../ledger/keepable.ts'

/** So many ways of differing are kept of an operation of a workspace; a platform that makes field names up cannot fill the disk. */
export const MOST = 100
/** Milliseconds between two writings of what was seen before: only its count and its last time change. */
const FLUSH = 2_000
const SAMPLE = 4_000
/** Between a part and a place in it. */
const SPLIT = '\t'

interface Where {
  workspace_id: string
  /** The name of the entry. */
  operation: string
  /** Null for a plain read, which leaves no call. */
  call_id: string | null
}

/** Of an operation of a workspace: what of the contract was seen, how much of that is written, and the ids of what differs. */
interface Known {
  parts: SeenParts
  usual: Usual
  written: Map<string, number>
  ids: Set<string>
}

/**
 * Holds everything that a platform sends against the contract. Nothing here throws or waits: a reply is looked at in
 * memory, what is new is written in the background, what was seen before is counted and written every two seconds.
 */
export class Drifts {
  readonly #pool: Pool
  readonly #onError: (error: unknown) => void
  /** By workspace and operation. */
  readonly #known = new Map<string, Known>()
  #waiting = new Map<string, Row>()
  #places = new Map<string, { where: Where; places: string[] }>()
  #writing: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(pool: Pool, onError: (error: unknown) => void) {
    this.#pool = pool
    this.#onError = onError
  }

  /** A reply with a status of success. @returns in what it differs. */
  reply(where: Where, status: number, body: unknown): readonly Observed[] {
    const entry = platformEntries.get(where.operation)
    return entry ? this.#take(where, ({ parts }) => observeReply(entry, status, body, parts)) : []
  }

  /** The very same reply once more. */
  again(where: Where, found: readonly Observed[]): void {
    if (found.length > 0) this.#take(where, () => found)
  }

  /** A call that came to a problem: only what the platform itself said is looked at. */
  problem(where: Where, { kind, upstream }: Problem): void {
    const entry = platformEntries.get(where.operation)
    if (!entry || !upstream) return
    const { status, body } = upstream
    if (kind === 'refused') this.#take(where, ({ parts }) => observeRefusal(entry, status, body, parts))
    // A redirect, whose body nobody reads; or what was to be JSON and is none.
    else if (status >= 300) this.#take(where, () => [STATUS(status)])
    else if (kind === 'mismatch' && body !== null) this.reply(where, status, body)
  }

  /** One event of a stream. Most are like the one before, of which all is known. */
  event(where: Where, event: unknown): void {
    const { operation } = where
    this.#take(
      where,
      ({ parts, usual }) => recallEvent(operation, event, usual) ?? observeEvent(operation, event, parts, usual),
    )
  }

  #knownOf({ workspace_id, operation }: Where): Known {
    const name = `${workspace_id} ${operation}`
    let known = this.#known.get(name)
    if (!known)
      this.#known.set(name, (known = { parts: new Map(), usual: new Map(), written: new Map(), ids: new Set() }))
    return known
  }

  #take(where: Where, look: (known: Known) => readonly Observed[]): readonly Observed[] {
    try {
      const name = `${where.workspace_id} ${where.operation}`
      const known = this.#knownOf(where)
      const found = look(known)
      for (const [part, seen] of known.parts) {
        const written = known.written.get(part) ?? -1
        if (seen.size <= written) continue
        known.written.set(part, seen.size)
        // A part with nothing in it was seen all the same.
        const fresh = [
          ...(written < 0 ? [part] : []),
          ...[...seen].slice(Math.max(0, written)).map((at) => `${part}${SPLIT}${at}`),
        ]
        const waiting = this.#places.get(name)
        if (waiting) waiting.places.push(...fresh)
        else this.#places.set(name, { where, places: fresh })
      }
      let isNew = this.#places.size > 0
      for (const one of found) isNew = this.#count(where, one, known.ids) || isNew
      if (isNew) this.#write()
      else if (found.length > 0) this.#timer ??= setTimeout(() => this.#write(), FLUSH).unref()
      return found
    } catch (error) {
      this.#onError(error)
      return []
    }
  }

  /** @returns whether it was not known yet. */
  #count(where: Where, one: Observed, ids: Set<string>): boolean {
    const id = idOf(where.operation, one)
    const isNew = !ids.has(id)
    if (isNew && ids.size >= MOST) return false
    ids.add(id)
    const key = `${where.workspace_id} ${id}`
    const waiting = this.#waiting.get(key)
    if (waiting) waiting.count++
    else this.#waiting.set(key, rowOf(where, id, one))
    return isNew
  }

  #write(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing ??= this.#drain().finally(() => (this.#writing = null))
  }

  /** Resolves when all that was seen so far is in the tables. */
  settled = async (): Promise<void> => {
    if (this.#waiting.size + this.#places.size > 0) this.#write()
    await this.#writing
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size + this.#places.size > 0) {
      const rows = [...this.#waiting.values()].sort(byId)
      const places = [...this.#places.values()]
      this.#waiting = new Map()
      this.#places = new Map()
      // What cannot be written is seen again another time: it is forgotten here, so that it then counts as new.
      await this.#keep(rows, places).catch((error: unknown) => {
        for (const { workspace_id, operation } of [...rows, ...places.map(({ where }) => where)])
          this.#known.delete(`${workspace_id} ${operation}`)
        this.#onError(error)
      })
    }
  }

  /** A workspace that was deleted meanwhile gets no rows. */
  async #keep(rows: Row[], places: { where: Where; places: string[] }[]): Promise<void> {
    const now = new Date().toISOString()
    const column = <Name extends keyof Row>(name: Name) => rows.map((row) => row[name])
    if (rows.length > 0)
      await this.#pool.query(
        `INSERT INTO drifts(workspace_id, id, operation, kind, event, path, value, sample, count, call_id, first_seen, last_seen)
         SELECT w, i, o, k, e, p, v, s::json, n, c, $11, $11
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::uuid[])
           AS row(w, i, o, k, e, p, v, s, n, c) JOIN workspaces ON workspaces.id = w
         WHERE EXISTS (SELECT 1 FROM drifts WHERE drifts.workspace_id = w AND drifts.id = i)
           OR (SELECT count(*) FROM drifts WHERE drifts.workspace_id = w AND drifts.operation = o) < ${MOST}
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
    for (const { where, places: fresh } of places)
      await this.#pool.query(
        `INSERT INTO sightings(workspace_id, operation, places, first_seen)
         SELECT id, $2, $3, $4 FROM workspaces WHERE id = $1
         ON CONFLICT (workspace_id, operation) DO UPDATE SET places =
           ARRAY(SELECT DISTINCT place FROM unnest(sightings.places || excluded.places) AS place ORDER BY place)`,
        [where.workspace_id, where.operation, fresh, now],
      )
  }
}

/** What of the contract was seen, as the table has it. */
export function partsOf(places: readonly string[]): SeenParts {
  const parts: SeenParts = new Map()
  for (const place of places) {
    const [part = '', at] = place.split(SPLIT)
    const seen = parts.get(part) ?? new Set()
    parts.set(part, seen)
    if (at !== undefined) seen.add(at)
  }
  return parts
}

interface Row {
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

const STATUS = (status: number): Observed => ({
  kind: 'status',
  event: null,
  path: '',
  value: String(status),
  sample: status,
})

/** A stream may differ in each of its frames in the same way: what was reckoned once is not reckoned again. */
const reckoned = new WeakMap<Observed, string>()

function idOf(operation: string, one: Observed): string {
  const known = reckoned.get(one)
  if (known !== undefined) return known
  const text = JSON.stringify([operation, one.kind, one.event, one.path, one.value])
  const id = createHash('sha1').update(text).digest('base64url')
  reckoned.set(one, id)
  return id
}

/** Two servers that write the same rows take them in the same order. */
const byId = (one: Row, other: Row): number => (one.id < other.id ? -1 : 1)

function rowOf({ workspace_id, operation, call_id }: Where, id: string, one: Observed): Row {
  const sample = JSON.stringify(asJson(one.sample))
  return {
    workspace_id,
    id,
    operation,
    kind: one.kind,
    event: keepable(one.event, 100),
    path: keepable(one.path, 500) ?? '',
    value: keepable(one.value, 100),
    sample: sample.length > SAMPLE ? JSON.stringify(`${sample.slice(0, SAMPLE)}…`) : sample,
    count: 1,
    call_id,
  }
}
