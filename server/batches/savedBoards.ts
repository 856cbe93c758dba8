import type { PoolClient } from 'pg'
import { Id } from '#contract/endpoint.ts'
import { MAX_BOARD_CELLS, MAX_BOARD_ROUNDS } from '#contract/console/boards.ts'
import { DEFAULT_BATCH_LIMITS, MAX_ROWS_AT_ONCE } from '#contract/console/batches.ts'
import { isActiveStatus, isSuccessStatus, type RunStatus } from '#contract/console/runs.ts'
import type { Database } from '../db/database.ts'
import type { AccessScope } from '../auth/accessScope.ts'
import { insertBatch } from './batchStore.ts'

/** A board: a saved item. Its rounds are the rows of the batch with its id. */
export interface BoardRecord {
  id: string
  workspace_id: string
  name: string
  value: unknown
}

/** An SQL condition on rows of a board with their keys and calls: $2 is the scope of a person who may use the key. */
export const IS_VISIBLE_ROUND = `($2::uuid[] IS NULL OR rows.key_id = ANY($2) OR coalesce(keys.workspace_id, calls.workspace_id) = ANY($2))`
export const FROM_ROUNDS = `FROM batch_rows AS rows LEFT JOIN keys ON keys.id = rows.key_id LEFT JOIN calls ON calls.id = rows.run_id`

/** A round that an earlier version saved with its board, before it sent it. */
interface SavedRound {
  cell: string
  key: string
  run: string
}

/**
 * Creates the batch of a board that has none. Rounds that an earlier version saved with the board become its rows: those with
 * a run have ended, and those that were never sent wait until a person resumes the batch. Nothing is sent.
 */
export async function insertBoardBatch(
  client: PoolClient,
  board: BoardRecord,
  person_id: string | null,
): Promise<void> {
  const rounds = readSavedRounds(board.value)
  const { rows: calls } = await client.query<{ id: string; status: RunStatus }>(
    'SELECT id, status FROM calls WHERE id = ANY($1)',
    [rounds.map(({ run }) => run)],
  )
  const statuses = new Map(calls.map(({ id, status }) => [id, status]))
  const isWaiting = rounds.some(({ run }) => !statuses.has(run))
  const isNew = await insertBatch(
    client,
    {
      ...DEFAULT_BATCH_LIMITS,
      id: board.id,
      kind: 'board',
      workspace_id: board.workspace_id,
      key_id: null,
      entry: null,
      name: board.name,
      settings: {},
      at_once: MAX_ROWS_AT_ONCE,
      total: rounds.length,
      person_id,
    },
    isWaiting ? 'paused' : 'ended',
  )
  if (!isNew || rounds.length === 0) return
  await client.query(
    `INSERT INTO batch_rows(batch_id, number, state, cell, key_id, run_id, attempts, input)
     SELECT $1, position, state, cell, key_id, run_id, CASE WHEN run_id IS NULL THEN 0 ELSE 1 END, 'null'
     FROM unnest($2::text[], $3::text[], $4::uuid[], $5::uuid[]) WITH ORDINALITY AS saved(state, cell, key_id, run_id, position)`,
    [
      board.id,
      rounds.map(({ run }) => toRowState(statuses.get(run))),
      rounds.map(({ cell }) => cell),
      rounds.map(({ key }) => key),
      rounds.map(({ run }) => (statuses.has(run) ? run : null)),
    ],
  )
}

function toRowState(status: RunStatus | undefined): string {
  if (status === undefined) return 'waiting'
  if (isSuccessStatus(status)) return 'succeeded'
  if (status === 'stopped') return 'stopped'
  // An active run, or one without a known end: its own row says how it ended.
  return isActiveStatus(status) || !['failed', 'refused'].includes(status) ? 'unknown' : 'failed'
}

/** The rounds in the value of a board, by cell. A cell without a key shows a finished run, which is no round. */
function readSavedRounds(value: unknown): SavedRound[] {
  const cells = toList(toRecord(value).cells).slice(0, MAX_BOARD_CELLS)
  return cells.flatMap((cell) => {
    const { id, key, runs } = toRecord(cell)
    const keyId = Id.safeParse(key)
    if (typeof id !== 'string' || id === '' || !isStorable(id) || !keyId.success) return []
    const ids = [...new Set(toList(runs).flatMap((run) => Id.safeParse(run).data?.toLowerCase() ?? []))]
    return ids.slice(0, MAX_BOARD_ROUNDS).map((run) => ({ cell: id, key: keyId.data, run }))
  })
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Boards that are read at once. */
const BOARDS_PER_PAGE = 20

/** Moves the rounds of boards that an earlier version saved. It may run again, and on several servers at the same time. */
export async function adoptSavedBoards(database: Database): Promise<void> {
  let after: string | null = null
  do {
    const { rows }: { rows: (BoardRecord & { person_id: string | null })[] } = await database.pool.query(
      `SELECT id, workspace_id, name, value, person_id FROM saved_items
       WHERE kind = 'board' AND ($1::uuid IS NULL OR id > $1) AND value::text ~ '"runs"\\s*:\\s*\\[\\s*"'
         AND NOT EXISTS (SELECT FROM batches WHERE batches.id = saved_items.id)
       ORDER BY id LIMIT ${BOARDS_PER_PAGE}`,
      [after],
    )
    for (const { person_id, ...board } of rows)
      await database.transaction((client) => insertBoardBatch(client, board, person_id))
    after = rows.length < BOARDS_PER_PAGE ? null : (rows.at(-1)?.id ?? null)
  } while (after !== null)
}

/** Copies the ended rounds of a board that the reader may see; their runs are the same. */
export async function copyBoardRounds(
  client: PoolClient,
  from: string,
  to: BoardRecord,
  { person_id, accessScope }: { person_id: string | null; accessScope: AccessScope },
): Promise<void> {
  await insertBoardBatch(client, { ...to, value: null }, person_id)
  const { rowCount } = await client.query(
    `INSERT INTO batch_rows(batch_id, number, state, cell, key_id, run_id, attempts, input, title, problem, result,
       began_at, duration_ms, tokens, price, currency)
     SELECT $3, row_number() OVER (ORDER BY number), rows.state, cell, rows.key_id, run_id, attempts, input, rows.title, rows.problem,
       result, began_at, rows.duration_ms, tokens, price, rows.currency
     ${FROM_ROUNDS} WHERE batch_id = $1 AND rows.state NOT IN ('waiting', 'running') AND ${IS_VISIBLE_ROUND}`,
    [from, accessScope, to.id],
  )
  await client.query('UPDATE batches SET total = $2 WHERE id = $1', [to.id, rowCount ?? 0])
}
