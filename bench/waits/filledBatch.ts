import type { Pool } from 'pg'

export const BATCH_ID = '0000000b-0000-4000-8000-000000000001'
export const BATCH_ROWS = 100_000
/** Rows that are still to be sent. */
const WAITING_ROWS = 2_000
const ROWS_PER_STATEMENT = 5_000

/** A paused batch, of whose rows all but the last 2,000 were sent; each has one of the runs of the ledger. */
export async function fillBatch(pool: Pool, { workspace, key }: { workspace: string; key: string }): Promise<void> {
  await pool.query(
    `INSERT INTO batches(id, kind, state, pause, workspace_id, key_id, entry, name, settings, at_once, total, person_id, created_at)
     SELECT $1, 'run', 'paused', 'person', $2, $3, 'completion.send', 'Bench', $4, 4, ${BATCH_ROWS}, people.id, now()
     FROM people WHERE role = 'admin' LIMIT 1`,
    [BATCH_ID, workspace, key, JSON.stringify({ user: 'bench', response_mode: 'blocking' })],
  )
  await pool.query('CREATE TABLE run_ids(number int PRIMARY KEY, id uuid NOT NULL)')
  await pool.query('INSERT INTO run_ids SELECT row_number() OVER (ORDER BY id), id FROM calls')
  for (let first = 1; first <= BATCH_ROWS; first += ROWS_PER_STATEMENT)
    await pool.query(
      `INSERT INTO batch_rows(batch_id, number, state, input, title, run_id, attempts, began_at, duration_ms, tokens, price, currency)
       SELECT $1, n, CASE WHEN is_sent THEN 'succeeded' ELSE 'waiting' END,
         json_build_object('beside', json_build_object(), 'inputs', json_build_object('query', 'Row ' || n || ' asks for nothing. ' || repeat('Its text is of an ordinary length. ', 4))),
         'Row ' || n, CASE WHEN is_sent THEN run_ids.id END, is_sent::int, CASE WHEN is_sent THEN now() END,
         CASE WHEN is_sent THEN 900 END, CASE WHEN is_sent THEN 120 END, CASE WHEN is_sent THEN '0.0012' END,
         CASE WHEN is_sent THEN 'USD' END
       FROM (SELECT n, n <= ${BATCH_ROWS - WAITING_ROWS} AS is_sent FROM generate_series($2::int, $3::int) AS n) AS row
       LEFT JOIN run_ids ON run_ids.number = 1 + n % (SELECT count(*)::int FROM run_ids)`,
      [BATCH_ID, first, first + ROWS_PER_STATEMENT - 1],
    )
  await pool.query('DROP TABLE run_ids')
}

/** Moves the frames of the ledger to where the server would move them in the background, in chunks of the usual size; none is read. */
export async function sealFrames(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO frame_chunks(call_id, first_seq, last_seq, first_at, last_at, bytes, data)
     SELECT call_id, min(seq), max(seq), min(at), max(at), sum(bytes), decode(repeat(md5(call_id::text), 10), 'hex')
     FROM frames GROUP BY call_id`,
  )
  await pool.query('TRUNCATE frames')
}
