import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Database } from '../../db/database.ts'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'

/** What was done. `person` is who did it: null for the server itself, or somebody who is not known. */
export interface AuditEntry {
  action: string
  person?: { id: string; name: string } | null
  workspace?: string | null
  about?: string | null
  label?: string | null
  detail?: unknown
  address?: string | null
}

const GENESIS_HASH = '0'.repeat(64)

/** `id` names the master key that `key` is derived from. */
export interface AuditKey {
  id: string
  key: Buffer
}

const auditKeySources = new WeakMap<PoolClient, () => AuditKey | null>()

/**
 * Rows that are written on connections of this pool are keyed with what `current` gives; a row of a server without a
 * master key has a plain hash.
 */
export function setAuditKeySource(pool: Pool, current: () => AuditKey | null): void {
  pool.on('acquire', (client) => void auditKeySources.set(client, current))
}

/** Writes a deed down in the transaction that does it: what is not recorded is not done, and the other way round. */
export async function recordAudit(client: PoolClient, entry: AuditEntry): Promise<void> {
  const currentKey = auditKeySources.get(client)
  if (!currentKey) throw new Error('keyAudit was not called for the pool of this connection')
  const last = await lockLast(client)
  const key = currentKey()
  const row: AuditRowContent = {
    seq: String(Number(last?.seq ?? 0) + 1),
    at: new Date(),
    action: entry.action,
    person_id: entry.person?.id ?? null,
    person: entry.person?.name ?? null,
    workspace_id: entry.workspace ?? null,
    about: entry.about ?? null,
    label: entry.label?.slice(0, 255) ?? null,
    detail: entry.detail === undefined ? null : JSON.stringify(entry.detail),
    address: entry.address ?? null,
    previous: last?.hash ?? GENESIS_HASH,
    key_id: key?.id ?? null,
  }
  await client.query(
    `INSERT INTO audit(${AUDIT_COLUMNS.join(', ')}, hash) VALUES (${[...AUDIT_COLUMNS, 'hash'].map((_, index) => `$${index + 1}`).join(', ')})`,
    [...AUDIT_COLUMNS.map((name) => row[name]), key ? keyedHash(row, key.key) : plainHash(row)],
  )
}

type LastAuditRow = Pick<AuditRowContent, 'seq' | 'key_id'> & { hash: string }
const SELECT_LAST_ROW = 'SELECT seq, hash, key_id FROM audit ORDER BY seq DESC LIMIT 1'

/** One after the other, on all servers: each row holds the hash of the one before. */
async function lockLast(client: PoolClient): Promise<LastAuditRow | undefined> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.audit])
  return (await client.query<LastAuditRow>(SELECT_LAST_ROW)).rows[0]
}

/**
 * Where rows are there that the current key does not protect, a keyed row says up to which one: they were written by a
 * release that knew no key, without a master key, or under another one. Nothing is written otherwise.
 */
export async function recordKeyChange(
  database: Pick<Database, 'transaction'>,
  key: AuditKey,
): Promise<AuditKeyChange | null> {
  return database.transaction(async (client) => {
    const last = await lockLast(client)
    if (!last || last.key_id === key.id) return null
    const change = { rows: Number(last.seq), head: last.hash, before: last.key_id, now: key.id }
    await recordAudit(client, { action: 'audit.keyed', detail: change })
    return change
  })
}
export interface AuditKeyChange {
  rows: number
  head: string
  before: string | null
  now: string
}

/** The last row's hash. Who notes it elsewhere can tell later whether the end was cut off or all was made anew. */
export async function findAuditHead(pool: Pool): Promise<{ rows: number; head: string } | null> {
  const [last] = (await pool.query<LastAuditRow>(SELECT_LAST_ROW)).rows
  return last ? { rows: Number(last.seq), head: last.hash } : null
}

interface AuditRowContent {
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
const AUDIT_COLUMNS = [
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
] as const satisfies (keyof AuditRowContent)[]

/** Its bytes do not depend on the order in which an object or the table has its fields. */
const keyedHash = ({ at, detail, ...row }: AuditRowContent, key: Buffer): string =>
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
const plainHash = (row: AuditRowContent): string =>
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

export interface AuditVerification {
  rows: number
  /** The hash of the last row: who notes it elsewhere can tell later whether the end was cut off. */
  lastHash: string
  /** The first row that is not what was written, or does not follow the one before. */
  firstInvalidRow: { seq: number; why: string } | null
  /** The first row that has a key; what stands before it is protected by that row alone, and by a head noted elsewhere. */
  keyed_from: number | null
  /** Rows behind that one that prove nothing: without a key (`key_id` null), or keyed with one that is not here. */
  unproven: { from: number; to: number; key_id: string | null }[]
}

const PAGE_ROWS = 1_000

/** Reads the whole log and says where it is not what was written. @param keys by the ids of their master keys */
export async function verifyAudit(pool: Pool, keys: ReadonlyMap<string, Buffer>): Promise<AuditVerification> {
  const verdict: AuditVerification = {
    rows: 0,
    lastHash: GENESIS_HASH,
    firstInvalidRow: null,
    keyed_from: null,
    unproven: [],
  }
  for (;;) {
    const { rows } = await pool.query<AuditRowContent & { hash: string }>(
      `SELECT ${AUDIT_COLUMNS.join(', ').replace('detail', 'detail::text AS detail')}, hash
       FROM audit WHERE seq > $1 ORDER BY seq LIMIT ${PAGE_ROWS}`,
      [verdict.rows],
    )
    for (const { hash, ...row } of rows) {
      const why = findFault(row, hash, verdict, keys)
      if (why) return { ...verdict, firstInvalidRow: { seq: Number(row.seq), why } }
      verdict.rows = Number(row.seq)
      verdict.lastHash = hash
      if (row.key_id !== null) verdict.keyed_from ??= verdict.rows
      if (verdict.keyed_from !== null && !keys.has(row.key_id ?? '')) addUnproven(verdict, row.key_id)
    }
    if (rows.length < PAGE_ROWS) return verdict
  }
}

function findFault(
  row: AuditRowContent,
  hash: string,
  { rows, lastHash }: AuditVerification,
  keys: ReadonlyMap<string, Buffer>,
): string | null {
  if (Number(row.seq) !== rows + 1) return `row ${rows + 1} is missing before it`
  if (row.previous !== lastHash) return 'it does not follow the row before it'
  const key = row.key_id === null ? null : keys.get(row.key_id)
  if (key === undefined) return null
  const expected = Buffer.from(key ? keyedHash(row, key) : plainHash(row))
  const given = Buffer.from(hash)
  return given.length === expected.length && timingSafeEqual(given, expected) ? null : 'it is not what was written'
}

function addUnproven({ rows, unproven }: AuditVerification, key_id: string | null): void {
  const last = unproven.at(-1)
  if (last && last.to === rows - 1 && last.key_id === key_id) last.to = rows
  else unproven.push({ from: rows, to: rows, key_id })
}
