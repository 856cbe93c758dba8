import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, open } from '../server/database/database.ts'
import { newRandom, segmentText } from './platform-texts.ts'

const AT_ONCE = 5_000
/** Texts that calls and things are made of: a call has two of them. */
const TEXTS = 5_000
const ENTRIES = ['chat.send', 'chat.send', 'chat.send', 'workflows.run', 'documents.createByText', 'segments.update']
/** Of a thousand calls so many end otherwise. */
const FAILED = 30
const ERRORS = ['Model gpt-4o quota is exceeded', 'Provider Server Unavailable Error', 'The node timed out']
/** A phrase of four signs, in one call of two thousand. */
export const RARE = '黑曜石灯'
const RARE_EVERY = 2000
const BLOCK = 'data: {"event":"message","task_id":"d5bb1b4a","answer":" a few words of it"}'

/** The ids of what a filled ledger holds. */
export interface Filled {
  workspace: string
  key: string
  person: string
  /** An id that one call has touched, that call, which is a run, and its conversation. */
  thing: string
  run: string
  conversation: string
}

/**
 * Puts a database into a folder whose ledger has so many calls, ten frames a run of them. Its GIN indexes are made when
 * all is there, the same in a tenth of the time; it is kept for a schema, and copied.
 */
export async function copyFilledLedger(folder: string, calls: number, frames: number): Promise<Filled> {
  const kept = join(tmpdir(), `loupe-bench-ledger-${calls}-${frames}-${fingerprint()}`)
  if (!existsSync(kept)) {
    const made = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
    const database = await open({ folder: made })
    try {
      writeFileSync(join(made, 'filled.json'), JSON.stringify(await fillLedger(database, calls, frames)))
    } finally {
      await database.close()
    }
    renameSync(made, kept)
  }
  for (const name of ['database', 'marker.json']) cpSync(join(kept, name), join(folder, name), { recursive: true })
  return JSON.parse(readFileSync(join(kept, 'filled.json'), 'utf8')) as Filled
}

function fingerprint(): string {
  const migrations = new URL('../server/database/migrations/', import.meta.url)
  const files = [...readdirSync(migrations).filter((name) => name.endsWith('.sql')), 'meta/_journal.json']
  const hash = createHash('sha256')
  for (const file of [...files.map((name) => new URL(name, migrations)), new URL(import.meta.url)])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Fills the tables of a database that is empty but for its schema, by statements of its own: none of it goes through here. */
export async function fillLedger({ pool }: Database, calls: number, frames: number): Promise<Filled> {
  const random = newRandom(7)
  await pool.query(
    `INSERT INTO workspaces(id, name, base_url, builtin, created_at)
     SELECT ${id(1, 'n')}, 'Bench ' || n, 'http://127.0.0.1:1/v1', false, now() FROM generate_series(1, 2) AS n`,
  )
  await pool.query(
    `INSERT INTO people(id, name, role, default_user, created_at)
     SELECT ${id(2, 'n')}, 'Person ' || n, 'viewer', 'person-' || n, now() FROM generate_series(1, 3) AS n`,
  )
  await pool.query('CREATE TABLE texts(n int PRIMARY KEY, t text NOT NULL)')
  await pool.query('INSERT INTO texts SELECT n - 1, t FROM unnest($1::text[]) WITH ORDINALITY AS given(t, n)', [
    Array.from({ length: TEXTS }, () => segmentText(random)),
  ])
  const { rows: indexes } = await pool.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE indexname IN ('calls_by_words', 'calls_by_touched', 'things_by_words')`,
  )
  for (const { indexname } of indexes) await pool.query(`DROP INDEX ${indexname}`)
  const each = Math.ceil(frames / calls)
  for (let first = 0; first < calls; first += AT_ONCE) {
    const last = Math.min(calls, first + AT_ONCE) - 1
    await pool.query(callsOf(calls, first, last, each))
    if (each > 0)
      await pool.query(
        `INSERT INTO frames(call_id, seq, at, bytes, block) SELECT ${id(3, 'i')}, seq, seq * 25, $2::int, $1
         FROM generate_series(${first}, ${last}) AS i, generate_series(1, ${each}) AS seq`,
        [BLOCK, BLOCK.length],
      )
    await pool.query(thingsOf(calls, first, last))
  }
  await pool.query('DROP TABLE texts')
  const client = await pool.connect()
  try {
    await client.query(`SET statement_timeout = 0; SET maintenance_work_mem = '512MB'`)
    for (const { indexdef } of indexes) await client.query(indexdef)
    // As the embedded database is tended, and a server by itself.
    await client.query('VACUUM (ANALYZE)')
    await client.query('RESET statement_timeout; RESET maintenance_work_mem')
  } finally {
    client.release()
  }
  return {
    workspace: idOf(1, 1),
    key: idOf(4, 1),
    person: 'Person 1',
    thing: idOf(6, 40),
    run: idOf(3, 40),
    conversation: idOf(5, 5),
  }
}

/** An id of a kind, as a statement makes it and as it is. */
const id = (part: number, index: string) => `('${idOf(part, 0).slice(0, 24)}' || lpad(to_hex(${index}), 12, '0'))::uuid`
const idOf = (part: number, index: number) =>
  `${part.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`

/** A number from 0 to below `most` that looks like chance and is the same at every run. */
const chance = (seed: number, most: number | string) => `abs(hashint8extended(i, ${seed}) % ${most})::int`
const oneOf = (seed: number, list: readonly string[]) =>
  `(ARRAY[${list.map((one) => `'${one}'`).join(', ')}])[1 + ${chance(seed, list.length)}]`

/** Calls of the last thirty days, evenly: three of four in the first workspace, of twelve apps and three people. */
const callsOf = (calls: number, first: number, last: number, frames: number) => `
  INSERT INTO calls(id, entry, status, workspace_id, key_id, person_id, title, words, touched, created_at, request, reply,
    response_mode, duration_ms, first_token_ms, total_tokens, total_price, currency, frames, bytes, http_status, end_user,
    conversation_id)
  SELECT ${id(3, 'i')}, ${oneOf(1, ENTRIES)}, CASE WHEN failed THEN 'failed' ELSE 'succeeded' END,
    ${id(1, `CASE WHEN ${chance(2, 4)} = 0 THEN 2 ELSE 1 END`)}, ${id(4, chance(3, 12))}, ${id(2, `1 + ${chance(4, 3)}`)},
    left(one.t, 80),
    left(one.t, 80) || E'\n' || one.t || E'\n' || other.t || CASE WHEN failed THEN E'\n' || ${oneOf(5, ERRORS)} ELSE '' END
      || CASE WHEN i % ${RARE_EVERY} = 0 THEN E'\n${RARE}' ELSE '' END,
    ARRAY[${id(5, '(i / 8)')}::text, ${id(6, 'i')}::text], now() - (${calls} - i) * interval '30 days' / ${calls},
    json_build_object('query', left(one.t, 80), 'user', 'bench'), json_build_object('answer', other.t), 'streaming',
    300 + ${chance(6, 4000)}, 100 + ${chance(7, 900)}, ${chance(8, 2000)}, '0.0012', 'USD', ${frames}, ${frames * BLOCK.length},
    200, 'person-' || ${chance(4, 3)}, ${id(5, '(i / 8)')}::text
  FROM (SELECT i::bigint, ${chance(9, 1000)} < ${FAILED} AS failed FROM generate_series(${first}::bigint, ${last}) AS i) AS number
  JOIN texts AS one ON one.n = ${chance(10, TEXTS)} JOIN texts AS other ON other.n = ${chance(11, TEXTS)}`

/** A message of each call, and of each tenth a segment or an annotation. */
const thingsOf = (calls: number, first: number, last: number) => `
  INSERT INTO things(workspace_id, kind, id, label, parent, payload, first_seen, last_seen)
  SELECT ${id(1, '1')}, kind, ${id(6, 'i')}::text || CASE WHEN kind = 'message' THEN '' ELSE kind END, left(t, 120),
    CASE kind WHEN 'annotation' THEN ${id(4, '1')}::text ELSE ${id(5, '(i / 400)')}::text END,
    json_build_object('content', t), seen, seen
  FROM (SELECT i::bigint, now() - (${calls} - i) * interval '30 days' / ${calls} AS seen
        FROM generate_series(${first}::bigint, ${last}) AS i) AS number
  JOIN texts ON texts.n = ${chance(12, TEXTS)}
  CROSS JOIN LATERAL unnest(CASE i % 10 WHEN 0 THEN ARRAY['message', 'segment'] WHEN 5 THEN ARRAY['message', 'annotation']
    ELSE ARRAY['message'] END) AS kind`
