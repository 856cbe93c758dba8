import type { Database } from '../../server/db/database.ts'
import { copyFilledDatabase } from '../cachedDatabase.ts'
import { createRandom, createSegmentText } from '../platform/syntheticTexts.ts'

const CALLS_PER_STATEMENT = 5_000
/** Texts of calls and resources: a call has two of them. */
const TEXT_COUNT = 5_000
const ENTRIES = ['chat.send', 'chat.send', 'chat.send', 'workflows.run', 'documents.createByText', 'segments.update']
/** Calls per thousand with another final status. */
const FAILED_PER_THOUSAND = 30
const ERRORS = ['Model gpt-4o quota is exceeded', 'Provider Server Unavailable Error', 'The node timed out']
/** One answer of so many is rated, every third of them down. */
const CALLS_PER_RATING = 40
const ORIGINS = ['chat', 'chat', 'api', 'api', 'api', 'batch', 'board', 'replay']
/** A phrase of four signs, in one call of two thousand. */
export const RARE_PHRASE = '黑曜石灯'
const CALLS_PER_RARE_PHRASE = 2000
const BLOCK = 'data: {"event":"message","task_id":"d5bb1b4a","answer":" a few words of it"}'

/** The ids of the generated rows. */
export interface FilledLedger {
  workspace: string
  key: string
  person: string
  /** An id that one call has touched, that call, which is a run, and its conversation. */
  resourceId: string
  run: string
  conversation: string
}

/** Creates a database folder whose ledger has the given number of calls, with so many frames. */
export const copyFilledLedger = (folder: string, calls: number, frames: number): Promise<FilledLedger> =>
  copyFilledDatabase(folder, `ledger-${calls}-${frames}`, [new URL(import.meta.url)], (database) =>
    fillLedger(database, calls, frames),
  )

/** Fills the tables of a database with an empty schema by SQL statements, of any duration. Its GIN indexes are built at the end, in a tenth of the time. */
export async function fillLedger(
  { unboundedPool: pool }: Database,
  calls: number,
  frames: number,
): Promise<FilledLedger> {
  const random = createRandom(7)
  await pool.query(
    `INSERT INTO workspaces(id, name, base_url, builtin, created_at)
     SELECT ${toIdSql(1, 'n')}, 'Bench ' || n, 'http://127.0.0.1:1/v1', false, now() FROM generate_series(1, 2) AS n`,
  )
  await pool.query(
    `INSERT INTO people(id, name, role, default_user, created_at)
     SELECT ${toIdSql(2, 'n')}, 'Person ' || n, 'viewer', 'person-' || n, now() FROM generate_series(1, 3) AS n`,
  )
  await pool.query('CREATE TABLE texts(n int PRIMARY KEY, t text NOT NULL)')
  await pool.query('INSERT INTO texts SELECT n - 1, t FROM unnest($1::text[]) WITH ORDINALITY AS given(t, n)', [
    Array.from({ length: TEXT_COUNT }, () => createSegmentText(random)),
  ])
  const { rows: indexes } = await pool.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE indexname IN ('calls_by_search_text', 'calls_by_resource_ids', 'resources_by_label')`,
  )
  for (const { indexname } of indexes) await pool.query(`DROP INDEX ${indexname}`)
  const each = Math.ceil(frames / calls)
  for (let first = 0; first < calls; first += CALLS_PER_STATEMENT) {
    const last = Math.min(calls, first + CALLS_PER_STATEMENT) - 1
    await pool.query(toCallsSql(calls, first, last, each))
    if (each > 0)
      await pool.query(
        `INSERT INTO frames(call_id, seq, at, bytes, block) SELECT ${toIdSql(3, 'i')}, seq, seq * 25, $2::int, $1
         FROM generate_series(${first}, ${last}) AS i, generate_series(1, ${each}) AS seq`,
        [BLOCK, BLOCK.length],
      )
    await pool.query(toResourcesSql(calls, first, last))
  }
  await pool.query(RATINGS_SQL)
  await pool.query('DROP TABLE texts')
  const client = await pool.connect()
  try {
    await client.query(`SET maintenance_work_mem = '512MB'`)
    for (const { indexdef } of indexes) await client.query(indexdef)
    // As the embedded database is tended, and a server by itself.
    await client.query('VACUUM (ANALYZE)')
    await client.query('RESET maintenance_work_mem')
  } finally {
    client.release()
  }
  return {
    workspace: toId(1, 1),
    key: toId(4, 1),
    person: 'Person 1',
    resourceId: toId(6, 40),
    run: toId(3, 40),
    conversation: toId(5, 5),
  }
}

/** An id of a kind, as a statement makes it and as it is. */
const toIdSql = (part: number, index: string) =>
  `('${toId(part, 0).slice(0, 24)}' || lpad(to_hex(${index}), 12, '0'))::uuid`
const toId = (part: number, index: number) =>
  `${part.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`

/** A deterministic pseudo-random number from 0 to below `most`. */
const toRandomSql = (seed: number, limit: number | string) => `abs(hashint8extended(i, ${seed}) % ${limit})::int`
const toRandomChoiceSql = (seed: number, list: readonly string[]) =>
  `(ARRAY[${list.map((one) => `'${one}'`).join(', ')}])[1 + ${toRandomSql(seed, list.length)}]`

/** Calls of the last thirty days, evenly: three of four in the first workspace, of twelve apps and three people. */
const toCallsSql = (calls: number, first: number, last: number, frames: number) => `
  INSERT INTO calls(id, entry, status, workspace_id, key_id, person_id, title, search_text, resource_ids, created_at, request, reply,
    response_mode, duration_ms, first_token_ms, total_tokens, total_price, currency, frames, bytes, http_status, end_user,
    conversation_id, message_id, origin, workflow_id, tags, error_message)
  SELECT ${toIdSql(3, 'i')}, ${toRandomChoiceSql(1, ENTRIES)}, CASE WHEN failed THEN 'failed' ELSE 'succeeded' END,
    ${toIdSql(1, `CASE WHEN ${toRandomSql(2, 4)} = 0 THEN 2 ELSE 1 END`)}, ${toIdSql(4, toRandomSql(3, 12))}, ${toIdSql(2, `1 + ${toRandomSql(4, 3)}`)},
    left(one.t, 80),
    left(one.t, 80) || E'\n' || one.t || E'\n' || other.t || CASE WHEN failed THEN E'\n' || ${toRandomChoiceSql(5, ERRORS)} ELSE '' END
      || CASE WHEN i % ${CALLS_PER_RARE_PHRASE} = 0 THEN E'\n${RARE_PHRASE}' ELSE '' END,
    ARRAY[${toIdSql(5, '(i / 8)')}::text, ${toIdSql(6, 'i')}::text], now() - (${calls} - i) * interval '30 days' / ${calls},
    json_build_object('query', left(one.t, 80), 'user', 'bench'), json_build_object('answer', other.t), 'streaming',
    300 + ${toRandomSql(6, 4000)}, 100 + ${toRandomSql(7, 900)}, ${toRandomSql(8, 2000)}, '0.0012', 'USD', ${frames}, ${frames * BLOCK.length},
    200, 'person-' || ${toRandomSql(4, 3)}, ${toIdSql(5, '(i / 8)')}::text, ${toIdSql(6, 'i')}::text,
    ${toRandomChoiceSql(13, ORIGINS)}, 'v' || ${toRandomSql(14, 4)}, CASE WHEN ${toRandomSql(15, 100)} = 0 THEN ARRAY['to review', 'tag ' || ${toRandomSql(16, 9)}] END,
    CASE WHEN failed THEN replace(${toRandomChoiceSql(5, ERRORS)}, 'timed out', 'timed out after ' || ${toRandomSql(17, 60)} || ' s') END
  FROM (SELECT i::bigint, ${toRandomSql(9, 1000)} < ${FAILED_PER_THOUSAND} AS failed FROM generate_series(${first}::bigint, ${last}) AS i) AS number
  JOIN texts AS one ON one.n = ${toRandomSql(10, TEXT_COUNT)} JOIN texts AS other ON other.n = ${toRandomSql(11, TEXT_COUNT)}`

/** Ratings of answers, a minute after them. */
const RATINGS_SQL = `
  INSERT INTO calls(id, entry, status, workspace_id, key_id, person_id, title, search_text, resource_ids, created_at, request, reply,
    response_mode, duration_ms, frames, bytes, http_status)
  SELECT gen_random_uuid(), 'adjacent.feedback', 'succeeded', workspace_id, key_id, person_id, '', '', ARRAY[message_id],
    created_at + interval '1 minute',
    json_build_object('rating', CASE WHEN number % 3 = 0 THEN 'dislike' ELSE 'like' END, 'user', 'bench'),
    json_build_object('result', 'success'), 'blocking', 12, 0, 0, 200
  FROM (SELECT *, row_number() OVER (ORDER BY id) AS number FROM calls WHERE entry = 'chat.send') AS answers
  WHERE number % ${CALLS_PER_RATING} = 0`

/** A message of each call, and of each tenth a segment or an annotation. */
const toResourcesSql = (calls: number, first: number, last: number) => `
  INSERT INTO resources(workspace_id, kind, id, label, parent, payload, first_seen, last_seen)
  SELECT ${toIdSql(1, '1')}, kind, ${toIdSql(6, 'i')}::text || CASE WHEN kind = 'message' THEN '' ELSE kind END, left(t, 120),
    CASE kind WHEN 'annotation' THEN ${toIdSql(4, '1')}::text ELSE ${toIdSql(5, '(i / 400)')}::text END,
    json_build_object('content', t), seen, seen
  FROM (SELECT i::bigint, now() - (${calls} - i) * interval '30 days' / ${calls} AS seen
        FROM generate_series(${first}::bigint, ${last}) AS i) AS number
  JOIN texts ON texts.n = ${toRandomSql(12, TEXT_COUNT)}
  CROSS JOIN LATERAL unnest(CASE i % 10 WHEN 0 THEN ARRAY['message', 'segment'] WHEN 5 THEN ARRAY['message', 'annotation']
    ELSE ARRAY['message'] END) AS kind`
