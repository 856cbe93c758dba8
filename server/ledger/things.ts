import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Named } from '#contract/endpoint.ts'

/** How long the same payload of the same thing is not written again: polling stays free. */
const FRESH = 60_000
const CACHE_LIMIT = 50_000

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
      if (!thing.id) continue
      const row = rowOf(workspace_id, thing, now)
      const key = `${workspace_id} ${thing.kind} ${thing.id}`
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
      const rows = [...this.#waiting.values()].slice(0, 500)
      for (const row of rows) this.#waiting.delete(`${row.workspace_id} ${row.kind} ${row.id}`)
      await this.#write(rows).catch(this.#onError)
    }
    this.#writing = null
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

const rowOf = (workspace_id: string, thing: Named, now: number): Row => ({
  workspace_id,
  kind: thing.kind,
  id: thing.id.slice(0, 255),
  label: clean(thing.label),
  parent: thing.parent ?? null,
  payload: thing.payload === undefined ? null : JSON.stringify(thing.payload),
  seen: new Date(now).toISOString(),
})

const merge = (before: Row, after: Row): Row => ({
  ...after,
  label: after.label ?? before.label,
  parent: after.parent ?? before.parent,
  payload: after.payload ?? before.payload,
})

const clean = (label: string | null | undefined): string | null =>
  label ? label.replaceAll('\0', '\uFFFD').slice(0, 500) : null
