import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
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

/** Writes a deed down in the transaction that does it: what is not recorded is not done, and the other way round. */
export async function record(client: PoolClient, deed: Deed): Promise<void> {
  // One after the other, on all servers: each row holds the hash of the one before.
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.audit])
  const { rows } = await client.query<{ seq: string; hash: string }>(
    'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1',
  )
  const row: Row = {
    seq: String(Number(rows[0]?.seq ?? 0) + 1),
    at: new Date(),
    action: deed.action,
    person_id: deed.person?.id ?? null,
    person: deed.person?.name ?? null,
    workspace_id: deed.workspace ?? null,
    about: deed.about ?? null,
    label: deed.label?.slice(0, 255) ?? null,
    detail: deed.detail === undefined ? null : JSON.stringify(deed.detail),
    address: deed.address ?? null,
    previous: rows[0]?.hash ?? NOTHING_BEFORE,
  }
  await client.query(
    `INSERT INTO audit(seq, at, action, person_id, person, workspace_id, about, label, detail, address, previous, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [...Object.values(row), hashOf(row)],
  )
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
  detail: string | null
  address: string | null
  previous: string
}

const hashOf = ({ at, ...row }: Row): string =>
  createHash('sha256')
    .update(JSON.stringify([...Object.values(row), at.toISOString()]))
    .digest('hex')

export interface Verdict {
  rows: number
  /** The hash of the last row: who notes it elsewhere can tell later whether the end was cut off. */
  head: string
  /** The first row that is not what was written, or does not follow the one before. */
  wrong: { seq: number; why: string } | null
}

const PAGE = 1_000

/** Reads the whole log and says where it is not what was written. */
export async function verifyAudit(pool: Pool): Promise<Verdict> {
  let previous = NOTHING_BEFORE
  let seq = 0
  for (;;) {
    const { rows } = await pool.query<Row & { hash: string }>(
      `SELECT seq, at, action, person_id, person, workspace_id, about, label, detail::text AS detail, address, previous, hash
       FROM audit WHERE seq > $1 ORDER BY seq LIMIT ${PAGE}`,
      [seq],
    )
    for (const { hash, ...row } of rows) {
      const wrong = (why: string): Verdict => ({ rows: seq, head: previous, wrong: { seq: Number(row.seq), why } })
      if (Number(row.seq) !== seq + 1) return wrong(`row ${seq + 1} is missing before it`)
      if (row.previous !== previous) return wrong('it does not follow the row before it')
      if (hashOf(row) !== hash) return wrong('it is not what was written')
      seq = Number(row.seq)
      previous = hash
    }
    if (rows.length < PAGE) return { rows: seq, head: previous, wrong: null }
  }
}
