import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Database } from '../database/database.ts'
import { LOCKS } from '../database/locks.ts'

/** What was done. `person` is who did it: null for the server itself, or somebody who is not known. */
export interface Deed {
  action: string
  person?: { id: string; name: string } | null
  workspace?: string | null
  about?: string | null
  label?: string | null
  detail?: unknown
  address?: string | null
}

const NOTHING_BEFORE = '0'.repeat(64)

/** Rows are added and stay: the database itself refuses to change or delete one. */
export async function guardAudit(pool: Pool): Promise<void> {
  await pool.query(`CREATE OR REPLACE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'The audit log is only added to.'; END $$`)
  await pool.query(`CREATE OR REPLACE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_stays()`)
}

/** `id` names the master key that `key` is derived from. */
export interface AuditKey {
  id: string
  key: Buffer
}

const KEYS = new WeakMap<PoolClient, () => AuditKey | null>()

/**
 * Rows that are written on connections of this pool are keyed with what `current` gives; a row of a server without a
 * master key has a plain hash.
 */
export function keyAudit(pool: Pool, current: () => AuditKey | null): void {
  pool.on('acquire', (client) => void KEYS.set(client, current))
}

/** Writes a deed down in the transaction that does it: what is not recorded is not done, and the other way round. */
export async function record(client: PoolClient, deed: Deed): Promise<void> {
  const currentKey = KEYS.get(client)
  if (!currentKey) throw new Error('keyAudit was not called for the pool of this connection')
  const last = await lockLast(client)
  const key = currentKey()
  const row: Row = {
    seq: String(Number(last?.seq ?? 0) + 1),
    at: new Date(),
    action: deed.action,
    person_id: deed.person?.id ?? null,
    person: deed.person?.name ?? null,
    workspace_id: deed.workspace ?? null,
    about: deed.about ?? null,
    label: deed.label?.slice(0, 255) ?? null,
    detail: deed.detail === undefined ? null : JSON.stringify(deed.detail),
    address: deed.address ?? null,
    previous: last?.hash ?? NOTHING_BEFORE,
    key_id: key?.id ?? null,
  }
  await client.query(
    `INSERT INTO audit(${COLUMNS.join(', ')}, hash) VALUES (${[...COLUMNS, 'hash'].map((_, index) => `$${index + 1}`).join(', ')})`,
    [...COLUMNS.map((name) => row[name]), key ? keyedHash(row, key.key) : plainHash(row)],
  )
}

type Last = Pick<Row, 'seq' | 'key_id'> & { hash: string }
const LAST = 'SELECT seq, hash, key_id FROM audit ORDER BY seq DESC LIMIT 1'

/** One after the other, on all servers: each row holds the hash of the one before. */
async function lockLast(client: PoolClient): Promise<Last | undefined> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.audit])
  return (await client.query<Last>(LAST)).rows[0]
}

/**
 * Where rows are there that the current key does not protect, a keyed row says up to which one: they were written by a
 * release that knew no key, without a master key, or under another one. Nothing is written otherwise.
 */
export async function recordKeyChange(database: Pick<Database, 'transaction'>, key: AuditKey): Promise<Change | null> {
  return database.transaction(async (client) => {
    const last = await lockLast(client)
    if (!last || last.key_id === key.id) return null
    const change = { rows: Number(last.seq), head: last.hash, before: last.key_id, now: key.id }
    await record(client, { action: 'audit.keyed', detail: change })
    return change
  })
}
export interface Change {
  rows: number
  head: string
  before: string | null
  now: string
}

/** The last row's hash. Who notes it elsewhere can tell later whether the end was cut off or all was made anew. */
export async function findAuditHead(pool: Pool): Promise<{ rows: number; head: string } | null> {
  const [last] = (await pool.query<Last>(LAST)).rows
  return last ? { rows: Number(last.seq), head: last.hash } : null
}

interface Row {
  seq: string
  at: Date
  action: string
  person_id: string | null
  person: string | null
  workspace_id: string | null
  about: string | null
  label: string | null
  /** JSON text. */
  detail: string | null
  address: string | null
  previous: string
  key_id: string | null
}
const COLUMNS = [
  'seq',
  'at',
  'action',
  'person_id',
  'person',
  'workspace_id',
  'about',
  'label',
  'detail',
  'address',
  'previous',
  'key_id',
] as const satisfies (keyof Row)[]

/** Its bytes do not depend on the order in which an object or the table has its fields. */
const keyedHash = ({ at, detail, ...row }: Row, key: Buffer): string =>
  createHmac('sha256', key)
    .update(
      canonicalJson({ ...row, at: at.toISOString(), detail: detail === null ? null : (JSON.parse(detail) as unknown) }),
    )
    .digest('hex')

/** JSON without blanks, the fields of each object in the order of their names. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
}

/** Of rows that no key protects; the first releases wrote these alone. Whoever can write to the table can make it anew. */
const plainHash = (row: Row): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        row.seq,
        row.action,
        row.person_id,
        row.person,
        row.workspace_id,
        row.about,
        row.label,
        row.detail,
        row.address,
        row.previous,
        row.at.toISOString(),
      ]),
    )
    .digest('hex')

export interface Verdict {
  rows: number
  /** The hash of the last row: who notes it elsewhere can tell later whether the end was cut off. */
  head: string
  /** The first row that is not what was written, or does not follow the one before. */
  wrong: { seq: number; why: string } | null
  /** The first row that has a key; what stands before it is protected by that row alone, and by a head noted elsewhere. */
  keyed_from: number | null
  /** Rows behind that one that prove nothing: without a key (`key_id` null), or keyed with one that is not here. */
  unproven: { from: number; to: number; key_id: string | null }[]
}

const PAGE = 1_000

/** Reads the whole log and says where it is not what was written. @param keys by the ids of their master keys */
export async function verifyAudit(pool: Pool, keys: ReadonlyMap<string, Buffer>): Promise<Verdict> {
  const verdict: Verdict = { rows: 0, head: NOTHING_BEFORE, wrong: null, keyed_from: null, unproven: [] }
  for (;;) {
    const { rows } = await pool.query<Row & { hash: string }>(
      `SELECT ${COLUMNS.join(', ').replace('detail', 'detail::text AS detail')}, hash
       FROM audit WHERE seq > $1 ORDER BY seq LIMIT ${PAGE}`,
      [verdict.rows],
    )
    for (const { hash, ...row } of rows) {
      const why = findFault(row, hash, verdict, keys)
      if (why) return { ...verdict, wrong: { seq: Number(row.seq), why } }
      verdict.rows = Number(row.seq)
      verdict.head = hash
      if (row.key_id !== null) verdict.keyed_from ??= verdict.rows
      if (verdict.keyed_from !== null && !keys.has(row.key_id ?? '')) addUnproven(verdict, row.key_id)
    }
    if (rows.length < PAGE) return verdict
  }
}

function findFault(row: Row, hash: string, { rows, head }: Verdict, keys: ReadonlyMap<string, Buffer>): string | null {
  if (Number(row.seq) !== rows + 1) return `row ${rows + 1} is missing before it`
  if (row.previous !== head) return 'it does not follow the row before it'
  const key = row.key_id === null ? null : keys.get(row.key_id)
  if (key === undefined) return null
  const expected = Buffer.from(key ? keyedHash(row, key) : plainHash(row))
  const given = Buffer.from(hash)
  return given.length === expected.length && timingSafeEqual(given, expected) ? null : 'it is not what was written'
}

function addUnproven({ rows, unproven }: Verdict, key_id: string | null): void {
  const last = unproven.at(-1)
  if (last && last.to === rows - 1 && last.key_id === key_id) last.to = rows
  else unproven.push({ from: rows, to: rows, key_id })
}
