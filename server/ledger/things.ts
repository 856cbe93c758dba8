import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Named, ThingKind } from '#contract/endpoint.ts'
import { asJson } from '#contract/untrusted.ts'
import { keepable } from './keepable.ts'

/** How long the same payload of the same thing is not written again: polling stays free. */
const FRESH = 60_000
const CACHE_LIMIT = 50_000
const GROUP = 500
const GROUP_BYTES = 8 * 1024 * 1024
/** A longer id fits no path and no index: it is a fault of the platform and names nothing that could be opened. */
const ID_LENGTH = 255
/** What a thing holds, by its `parent`: it goes when the thing goes. */
const HELD_BY: Partial<Record<ThingKind, ThingKind>> = {
  dataset: 'document',
  document: 'segment',
  segment: 'child_chunk',
  conversation: 'message',
}

/**
 * Remembers every thing that a reply or a frame named. Writes are gathered while one is under way; a thing seen again
 * unchanged within a minute is not written.
 */
export class Things {
  readonly #pool: Pool
  readonly #seen = new Map<string, { hash: string; at: number }>()
  #waiting = new Map<string, Row>()
  #writing: Promise<void> | null = null
  readonly #onError: (error: unknown) => void

  constructor(pool: Pool, onError: (error: unknown) => void) {
    this.#pool = pool
    this.#onError = onError
  }

  see(workspace_id: string, named: Named[]): void {
    const now = Date.now()
    for (const thing of named) {
      if (!isId(thing.id)) continue
      const row = rowOf(workspace_id, thing, now)
      const key = keyOf(row)
      const hash = createHash('sha1').update(`${row.label}\0${row.parent}\0${row.payload}`).digest('base64')
      const before = this.#seen.get(key)
      if (before?.hash === hash && now - before.at < FRESH) continue
      if (this.#seen.size > CACHE_LIMIT) this.#seen.clear()
      this.#seen.set(key, { hash, at: now })
      const waiting = this.#waiting.get(key)
      this.#waiting.set(key, waiting ? merge(waiting, row) : row)
    }
    if (this.#waiting.size > 0 && !this.#writing) this.#writing = this.#drain()
  }

  /** Resolves when all that was seen so far is in the table. */
  settled = async (): Promise<void> => {
    while (this.#writing) await this.#writing
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      const rows = this.#next()
      await this.#write(rows).catch((error: unknown) => {
        for (const row of rows) this.#seen.delete(keyOf(row))
        this.#onError(error)
      })
    }
    this.#writing = null
  }

  /** Takes out the next group, the oldest first. */
  #next(): Row[] {
    const rows: Row[] = []
    let bytes = 0
    for (const [key, row] of this.#waiting) {
      if (rows.length === GROUP || bytes > GROUP_BYTES) break
      this.#waiting.delete(key)
      rows.push(row)
      bytes += row.payload?.length ?? 0
    }
    return rows
  }

  /** Removes a thing that the platform has deleted, and what it held. Seen again, it is there again. */
  async forget(workspace_id: string, kind: ThingKind, id: string): Promise<void> {
    await this.settled()
    let ids = [id]
    for (
      let next: ThingKind | undefined = kind, by = 'id';
      next && ids.length > 0;
      next = HELD_BY[next], by = 'parent'
    ) {
      const { rows } = await this.#pool.query<{ id: string }>(
        `DELETE FROM things WHERE workspace_id = $1 AND kind = $2 AND ${by} = ANY($3) RETURNING id`,
        [workspace_id, next, ids],
      )
      ids = rows.map((row) => row.id)
      for (const gone of ids) this.#seen.delete(keyOf({ workspace_id, kind: next, id: gone }))
    }
  }

  async #write(rows: Row[]): Promise<void> {
    const column = <Name extends keyof Row>(name: Name) => rows.map((row) => row[name])
    await this.#pool.query(
      `INSERT INTO things(workspace_id, kind, id, label, parent, payload, first_seen, last_seen)
       SELECT w, k, i, l, p, j::json, t, t
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[]) AS row(w, k, i, l, p, j, t)
       ON CONFLICT (workspace_id, kind, id) DO UPDATE SET
         label = COALESCE(excluded.label, things.label),
         parent = COALESCE(excluded.parent, things.parent),
         payload = COALESCE(excluded.payload, things.payload),
         last_seen = excluded.last_seen`,
      [
        column('workspace_id'),
        column('kind'),
        column('id'),
        column('label'),
        column('parent'),
        column('payload'),
        column('seen'),
      ],
    )
  }
}

interface Row {
  workspace_id: string
  kind: string
  id: string
  label: string | null
  parent: string | null
  payload: string | null
  seen: string
}

const isId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= ID_LENGTH && !id.includes('\0')

const keyOf = ({ workspace_id, kind, id }: Pick<Row, 'workspace_id' | 'kind' | 'id'>) => `${workspace_id} ${kind} ${id}`

const rowOf = (workspace_id: string, thing: Named, now: number): Row => ({
  workspace_id,
  kind: thing.kind,
  id: thing.id,
  label: keepable(thing.label || null, 500),
  parent: isId(thing.parent) ? thing.parent : null,
  payload: thing.payload === undefined ? null : JSON.stringify(asJson(thing.payload)),
  seen: new Date(now).toISOString(),
})

const merge = (before: Row, after: Row): Row => ({
  ...after,
  label: after.label ?? before.label,
  parent: after.parent ?? before.parent,
  payload: after.payload ?? before.payload,
})
