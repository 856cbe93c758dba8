import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { audit } from '../schema.ts'

/** The recorded action. `person` performed it: null for the server itself or an unknown person. */
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
 * Rows written on connections of this pool are keyed with the key that `current` returns; without a master key a row has a
 * plain hash.
 */
export function setAuditKeySource(pool: Pool, current: () => AuditKey | null): void {
  pool.on('acquire', (client) => void auditKeySources.set(client, current))
}

/** Writes an audit entry in the transaction of its action: both commit or neither does. */
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
    label: entry.label == null ? null : truncateText(entry.label, 255),
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

/** Serialized across all servers: each row contains the hash of the row before it. */
async function lockLast(client: PoolClient): Promise<LastAuditRow | undefined> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.audit])
  return (await client.query<LastAuditRow>(SELECT_LAST_ROW)).rows[0]
}

/**
 * If the current key does not protect some rows, a keyed row records the last of them: a release without audit keys, a
 * server without a master key, or one with another master key wrote them. Otherwise nothing is written.
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

/**
 * The hash of the last row. A copy stored elsewhere later reveals whether rows were cut off or the whole log was rewritten.
 */
export async function findAuditHead(pool: Pool): Promise<{ rows: number; head: string } | null> {
  const [last] = (await pool.query<LastAuditRow>(SELECT_LAST_ROW)).rows
  return last ? { rows: Number(last.seq), head: last.hash } : null
}

/** What of a row is hashed; `detail` is JSON text. */
type AuditRowContent = Omit<typeof audit.$inferSelect, 'hash' | 'detail'> & { detail: string | null }
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

/** A canonical form: its bytes do not depend on the order of fields in an object or columns in the table. */
const keyedHash = ({ at, detail, ...row }: AuditRowContent, key: Buffer): string =>
  createHmac('sha256', key)
    .update(
      canonicalJson({ ...row, at: at.toISOString(), detail: detail === null ? null : (JSON.parse(detail) as unknown) }),
    )
    .digest('hex')

/** JSON without blanks, with the fields of each object sorted by name. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
}

/**
 * The hash of rows that no key protects, as the first releases wrote them. Anybody with write access to the table can forge
 * it.
 */
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
  /** The hash of the last row: a copy stored elsewhere later reveals whether rows were cut off. */
  lastHash: string
  /** The first row that was altered or does not follow the row before it. */
  firstInvalidRow: { seq: number; why: string } | null
  /** The first keyed row; only this row, and a head stored elsewhere, protect the rows before it. */
  keyed_from: number | null
  /** Rows after that one that prove nothing: without a key (`key_id` null), or with a key that this server does not have. */
  unproven: { from: number; to: number; key_id: string | null }[]
}

const PAGE_ROWS = 1_000

/** Reads the whole log and reports where it was altered. @param keys by the ids of their master keys */
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

const DAY_MS = 24 * 60 * 60_000

/**
 * Logs the head of the audit log at start and once a day: a log stored elsewhere then shows whether rows were cut off or the
 * whole chain was rewritten.
 */
export function logAuditHead(
  { pool, log }: { pool: Pool; log: Pick<Logger, 'info' | 'error'> },
  intervalMs = DAY_MS,
): BackgroundJob {
  const job = new BackgroundJob({
    run: async (stopSignal) => {
      const found = await findAuditHead(pool)
      if (found && !stopSignal.aborted) log.info(found, 'audit chain head')
    },
    onError: (err) => log.error({ err }, 'read audit head failed'),
    intervalMs,
  })
  job.start()
  job.runSoon()
  return job
}
