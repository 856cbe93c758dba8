import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { Id, type ResourceRef, type ResourceKind } from '#contract/endpoint.ts'
import { asJson } from '#domain/stream/untrustedJson.ts'
import { toStorableText } from '../db/storableText.ts'
import { Batcher } from '../jobs/batcher.ts'

/** How long an unchanged payload of a resource is not written again, so that polling causes no writes. */
const UNCHANGED_TTL_MS = 60_000
const MAX_CACHE_ENTRIES = 50_000
const MAX_ROWS_PER_WRITE = 500
const MAX_BYTES_PER_WRITE = 8 * 1024 * 1024
/** A longer id fits no path and no index: it is a fault of the platform and cannot be opened. */
const MAX_ID_CHARS = 255
/** Child kinds of a resource, by `parent`: they are deleted with it. */
const CHILD_KIND: Partial<Record<ResourceKind, ResourceKind>> = {
  dataset: 'document',
  document: 'segment',
  segment: 'child_chunk',
  conversation: 'message',
}

/**
 * Stores every resource that a reply or a frame named. Writes are batched while one is running; an unchanged resource
 * is written at most once a minute.
 */
export class ResourceStore {
  readonly #pool: Pool
  readonly #cache = new Map<string, { digest: string; at: number }>()
  #pending = new Map<string, PendingResource>()
  readonly #batcher = new Batcher(
    () => this.#pending.size > 0,
    () => this.#writeNextBatch(),
  )
  readonly #onError: (error: unknown) => void

  constructor(pool: Pool, onError: (error: unknown) => void) {
    this.#pool = pool
    this.#onError = onError
  }

  record(workspace_id: string, resourceRefs: ResourceRef[]): void {
    const now = Date.now()
    const seen = new Date(now).toISOString()
    for (const resourceRef of resourceRefs) {
      if (!isValidId(resourceRef.id)) continue
      const row = toPendingResource(workspace_id, resourceRef, seen)
      const key = toCacheKey(row)
      const digest = hash('sha1', `${row.label}\0${row.parent}\0${row.payload}`, 'base64')
      const cached = this.#cache.get(key)
      if (cached?.digest === digest && now - cached.at < UNCHANGED_TTL_MS) continue
      if (this.#cache.size > MAX_CACHE_ENTRIES) this.#cache.clear()
      this.#cache.set(key, { digest, at: now })
      const waiting = this.#pending.get(key)
      this.#pending.set(key, waiting ? mergePending(waiting, row) : row)
    }
    this.#batcher.runSoon()
  }

  /** Stores a resource even if it is unchanged: another server may have deleted it. */
  async store(workspace_id: string, resourceRef: ResourceRef): Promise<void> {
    this.#cache.delete(toCacheKey({ workspace_id, kind: resourceRef.kind, id: toCanonicalId(resourceRef.id) }))
    this.record(workspace_id, [resourceRef])
    await this.whenIdle()
  }

  whenIdle = (): Promise<void> => this.#batcher.whenIdle()

  async #writeNextBatch(): Promise<void> {
    const rows = this.#takeBatch()
    await this.#writeRows(rows).catch((error: unknown) => {
      for (const row of rows) this.#cache.delete(toCacheKey(row))
      this.#onError(error)
    })
  }

  #takeBatch(): PendingResource[] {
    const rows: PendingResource[] = []
    let bytes = 0
    for (const [key, row] of this.#pending) {
      if (rows.length === MAX_ROWS_PER_WRITE || bytes > MAX_BYTES_PER_WRITE) break
      this.#pending.delete(key)
      rows.push(row)
      bytes += row.payload?.length ?? 0
    }
    return rows
  }

  /** The last label of the listed resources, which are ordered from the outermost to the innermost. */
  async findLabel(workspace_id: string, resourceRefs: readonly Pick<ResourceRef, 'kind' | 'id'>[]) {
    const labelled = resourceRefs
      .filter(({ id }) => isValidId(id))
      .map(({ kind, id }) => ({ kind, id: toCanonicalId(id) }))
    if (labelled.length === 0) return null
    const { rows } = await this.#pool.query<{ label: string }>(
      `SELECT label FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS named(kind, id, position)
       JOIN resources ON workspace_id = $1 AND resources.kind = named.kind AND resources.id = named.id
       WHERE label IS NOT NULL ORDER BY position DESC LIMIT 1`,
      [workspace_id, labelled.map(({ kind }) => kind), labelled.map(({ id }) => id)],
    )
    return rows[0]?.label ?? null
  }

  /** Deletes resources of a kind and their children. They are stored again when they are seen again. */
  async delete(workspace_id: string, kind: ResourceKind, resource_ids: readonly string[]): Promise<void> {
    await this.whenIdle()
    // Also as written: an earlier release stored ids in capitals.
    let ids = [...new Set([...resource_ids, ...resource_ids.map(toCanonicalId)])]
    for (
      let next: ResourceKind | undefined = kind, by = 'id';
      next && ids.length > 0;
      next = CHILD_KIND[next], by = 'parent'
    ) {
      const { rows } = await this.#pool.query<{ id: string }>(
        `DELETE FROM resources WHERE workspace_id = $1 AND kind = $2 AND ${by} = ANY($3) RETURNING id`,
        [workspace_id, next, ids],
      )
      ids = rows.map((row) => row.id)
      for (const gone of ids) this.#cache.delete(toCacheKey({ workspace_id, kind: next, id: gone }))
    }
  }

  /** Deletes the labels and records of resources, until they are seen again. */
  async clearRecords(workspace_id: string, kind: ResourceKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.whenIdle()
    await this.#pool.query(
      'UPDATE resources SET label = NULL, payload = NULL WHERE workspace_id = $1 AND kind = $2 AND id = ANY($3)',
      [workspace_id, kind, ids],
    )
    for (const id of ids) this.#cache.delete(toCacheKey({ workspace_id, kind, id }))
  }

  async #writeRows(unordered: readonly PendingResource[]): Promise<void> {
    // A fixed order, so that two servers that write the same rows do not deadlock.
    const rows = [...unordered].sort((one, other) => (toCacheKey(one) < toCacheKey(other) ? -1 : 1))
    const column = <Name extends keyof PendingResource>(name: Name) => rows.map((row) => row[name])
    await this.#pool.query(
      `INSERT INTO resources(workspace_id, kind, id, label, parent, payload, first_seen, last_seen)
       SELECT w, k, i, l, p, j::json, t, t
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[]) AS row(w, k, i, l, p, j, t)
       ON CONFLICT (workspace_id, kind, id) DO UPDATE SET
         label = COALESCE(excluded.label, resources.label),
         parent = COALESCE(excluded.parent, resources.parent),
         payload = COALESCE(excluded.payload, resources.payload),
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

interface PendingResource {
  workspace_id: string
  kind: string
  id: string
  label: string | null
  parent: string | null
  payload: string | null
  seen: string
}

const isValidId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS && !id.includes('\0')

/** UUIDs are case-insensitive; other ids are case-sensitive. */
export const toCanonicalId = (id: string): string => (Id.safeParse(id).success ? id.toLowerCase() : id)

const toCacheKey = ({ workspace_id, kind, id }: Pick<PendingResource, 'workspace_id' | 'kind' | 'id'>) =>
  `${workspace_id} ${kind} ${id}`

const toPendingResource = (workspace_id: string, resourceRef: ResourceRef, seen: string): PendingResource => ({
  workspace_id,
  kind: resourceRef.kind,
  id: toCanonicalId(resourceRef.id),
  label: toStorableText(resourceRef.label || null, 500),
  parent: isValidId(resourceRef.parent) ? toCanonicalId(resourceRef.parent) : null,
  payload: resourceRef.payload === undefined ? null : JSON.stringify(asJson(resourceRef.payload)),
  seen,
})

const mergePending = (before: PendingResource, after: PendingResource): PendingResource => ({
  ...after,
  label: after.label ?? before.label,
  parent: after.parent ?? before.parent,
  payload: after.payload ?? before.payload,
})
