import type { PoolClient } from 'pg'
import type { BatchRowState } from '#contract/console/batches.ts'
import { type BoardPace, type BoardRound, type BoardRounds, MAX_BOARD_ROUNDS } from '#contract/console/boards.ts'
import { type KeyKind, Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { invalidFieldError, type Problem, ProblemError, toInvalidProblem } from '#contract/problem.ts'
import { isStreamingOnly } from '#domain/platformKeys/responseMode.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import type { Database } from '../db/database.ts'
import { toStorableText } from '../db/storableText.ts'
import { getRunTitle } from '../runs/runTitle.ts'
import type { Vault } from '../vault/vault.ts'
import { lockPerson } from './batchAccess.ts'
import type { StoredRowInput } from './batchKind.ts'
import { insertRows, requireStart } from './batchStore.ts'
import { type BoardRecord, FROM_ROUNDS, insertBoardBatch, IS_VISIBLE_ROUND } from './savedBoards.ts'

/** Who changes a board, and what they may see. */
interface Editor {
  person_id: string
  accessScope: AccessScope
}

type CellRounds = ContractBody<'createBoardRounds'>['cells'][number]
type SentRound = ContractBody<'sendBoardRounds'>['rounds'][number]
type RoundRequest = Pick<CellRounds, 'body' | 'workflow_id'>
type ContractBody<Name extends 'createBoardRounds' | 'sendBoardRounds'> =
  (typeof contract.console)[Name]['body']['_output']

interface BoardBatch {
  state: 'running' | 'paused' | 'ended'
  total: number
  settings: {
    /** Of the requests that were handled last. */
    requests?: string[]
    /** The rounds that are sent, where others are held. */
    only?: number[]
  }
}

/** Requests whose ids are known, so that the same one again changes nothing. */
const MAX_KNOWN_REQUESTS = 20

/** The rounds of boards. The queue sends them, in the order of their numbers. */
export class BoardRoundStore {
  readonly #database: Database
  readonly #vault: Vault

  constructor(database: Database, vault: Vault) {
    this.#database = database
    this.#vault = vault
  }

  /** @throws ProblemError 404 for one that does not exist or is out of scope */
  async findBoard(id: string, accessScope: AccessScope): Promise<BoardRecord> {
    const { rows } = Id.safeParse(id).success
      ? await this.#database.pool.query<BoardRecord>(
          `SELECT id, workspace_id, name, value FROM saved_items
           WHERE id = $1 AND kind = 'board' AND ${scopeFilter('saved_items', 2)}`,
          [id, accessScope],
        )
      : { rows: [] }
    if (!rows[0]) throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such board.' })
    return rows[0]
  }

  async read({ id }: BoardRecord, accessScope: AccessScope): Promise<BoardRounds> {
    const { pool } = this.#database
    const { rows: batches } = await pool.query<Omit<BoardRounds, 'rounds'>>(
      `SELECT state, pause, problem FROM batches WHERE id = $1`,
      [id],
    )
    const { rows } = await pool.query<BoardRound>(
      `SELECT rows.number, rows.cell, rows.state, rows.key_id AS key, calls.id AS run, rows.problem,
         rows.input::text <> 'null' AS has_request, ${IS_VISIBLE_ROUND} AS is_visible
       ${FROM_ROUNDS} WHERE rows.batch_id = $1 ORDER BY rows.number`,
      [id, accessScope],
    )
    const rounds = rows.map((row) => (row.is_visible ? row : { ...row, key: null, run: null, problem: null }))
    const { state = 'ended', pause = null, problem = null } = batches[0] ?? {}
    return { state, pause, problem: rounds.every(({ is_visible }) => is_visible) ? problem : null, rounds }
  }

  /** Adds rounds to cells, or replaces those that they have, and starts the batch. */
  async add(
    board: BoardRecord,
    { request_id, mode, pace, cells }: ContractBody<'createBoardRounds'>,
    editor: Editor,
  ): Promise<void> {
    const inputs = await Promise.all(
      cells.map(async (cell, index) => ({
        ...cell,
        input: await this.#toInput(cell.key, cell, `body.cells.${index}`, editor.accessScope),
      })),
    )
    await this.#change(board, request_id, pace, editor, async (client, batch) => {
      const cellIds = cells.map(({ cell }) => cell)
      if (mode === 'replace')
        await client.query('DELETE FROM batch_rows WHERE batch_id = $1 AND cell = ANY($2)', [board.id, cellIds])
      else await requireFreeRounds(client, board.id, cells)
      const rows = inputs.flatMap(({ cell, key, rounds, input }) =>
        Array.from({ length: rounds }, () => ({ cell, key_id: key, input, title: toRowTitle(input) })),
      )
      await insertRows(client, board.id, batch.total + 1, rows)
      await client.query('UPDATE batches SET total = total + $2 WHERE id = $1', [board.id, rows.length])
      return rows.map((_, index) => batch.total + 1 + index)
    })
  }

  /**
   * Sends rounds that ended once more, and rounds that wait. Others that wait are held.
   * @throws ProblemError 409 where there is none that can be sent, or where nothing says what one asks
   */
  async send(
    board: BoardRecord,
    { request_id, pace, rounds }: ContractBody<'sendBoardRounds'>,
    editor: Editor,
  ): Promise<void> {
    const inputs = await this.#toInputs(board.id, rounds, editor.accessScope)
    const titles = new Map([...inputs].map(([number, input]) => [number, toRowTitle(input)]))
    const numbers = rounds.map(({ number }) => number)
    await this.#change(board, request_id, pace, editor, async (client) => {
      const { rows: found } = await client.query<{ number: number; state: BatchRowState; has_input: boolean }>(
        `SELECT number, state, input::text <> 'null' AS has_input FROM batch_rows
         WHERE batch_id = $1 AND number = ANY($2) AND state <> 'running' ORDER BY number FOR UPDATE`,
        [board.id, numbers],
      )
      if (found.length === 0) throw toConflict('There is no such round to be sent.')
      if (found.some(({ number, has_input }) => !has_input && !inputs.has(number)))
        throw toConflict('It is not known what this round asked: give its request.')
      await client.query(
        `UPDATE batch_rows AS rows SET state = 'waiting', run_id = NULL, parent_id = NULL, problem = NULL, result = NULL,
           duration_ms = NULL, tokens = NULL, price = NULL, currency = NULL,
           input = coalesce(new.input, rows.input), title = coalesce(new.title, rows.title)
         FROM unnest($2::int[], $3::json[], $4::text[]) AS new(number, input, title)
         WHERE rows.batch_id = $1 AND rows.number = new.number`,
        [
          board.id,
          found.map(({ number }) => number),
          found.map(({ number }) => JSON.stringify(inputs.get(number)) ?? null),
          found.map(({ number }) => toStorableText(titles.get(number) ?? null, 200)),
        ],
      )
      return found.map(({ number }) => number)
    })
  }

  /** @throws ProblemError 403 */
  async pause(board: BoardRecord, { accessScope }: Editor): Promise<void> {
    await this.#database.transaction(async (client) => {
      await requireOneKey(client, board.id, accessScope)
      await client.query(
        `UPDATE batches SET state = 'paused', pause = 'person', problem = NULL, waits_until = NULL
         WHERE id = $1 AND state = 'running'`,
        [board.id],
      )
    })
  }

  /** @throws ProblemError 403 */
  async removeCells(board: BoardRecord, cells: readonly string[], { accessScope }: Editor): Promise<void> {
    await this.#database.transaction(async (client) => {
      await requireOneKey(client, board.id, accessScope)
      await client.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [board.id])
      await client.query('DELETE FROM batch_rows WHERE batch_id = $1 AND cell = ANY($2)', [board.id, cells])
      await client.query(
        `UPDATE batches SET state = 'ended', pause = NULL, problem = NULL WHERE id = $1 AND state = 'paused'
           AND NOT EXISTS (SELECT FROM batch_rows WHERE batch_id = $1 AND state IN ('waiting', 'running'))`,
        [board.id],
      )
    })
  }

  /**
   * Changes the rounds and starts the batch; the same request again does nothing.
   * @param change returns the numbers of the rounds that are to be sent. Others that wait are held, unless the batch sends all.
   */
  async #change(
    board: BoardRecord,
    request_id: string,
    pace: BoardPace,
    { person_id }: Editor,
    change: (client: PoolClient, batch: BoardBatch) => Promise<number[]>,
  ): Promise<void> {
    await this.#database.transaction(async (client) => {
      // In this order, as every other change of a person's rights and batches.
      await lockPerson(client, person_id)
      await insertBoardBatch(client, board, person_id)
      const { rows } = await client.query<BoardBatch>(
        'SELECT state, total, settings FROM batches WHERE id = $1 FOR UPDATE',
        [board.id],
      )
      const batch = rows[0]
      if (!batch) throw new Error(`The board ${board.id} has no batch.`)
      const { requests = [], only } = batch.settings
      if (requests.includes(request_id)) return
      const numbers = await change(client, batch)
      await requireStart(client, board.id, person_id)
      const isRunning = batch.state === 'running'
      const selected = new Set([...((isRunning && only) || []), ...numbers])
      const { rows: waiting } = await client.query<{ number: number }>(
        `SELECT number FROM batch_rows WHERE batch_id = $1 AND state = 'waiting'`,
        [board.id],
      )
      const hasHeld = !(isRunning && !only) && waiting.some(({ number }) => !selected.has(number))
      const settings = {
        pace,
        requests: [...requests, request_id].slice(-MAX_KNOWN_REQUESTS),
        ...(hasHeld && { only: [...selected] }),
      }
      await client.query(
        `UPDATE batches SET state = 'running', pause = NULL, problem = NULL, waits_until = NULL, ended_at = NULL,
           began_at = COALESCE(began_at, $2), started_by = $3, settings = $4 WHERE id = $1`,
        [board.id, new Date(), person_id, JSON.stringify(settings)],
      )
    })
  }

  /** What rows ask, by number, where the request says so. */
  async #toInputs(
    board_id: string,
    rounds: SentRound[],
    accessScope: AccessScope,
  ): Promise<Map<number, StoredRowInput>> {
    const { rows } = await this.#database.pool.query<{ number: number; key_id: string }>(
      'SELECT number, key_id FROM batch_rows WHERE batch_id = $1 AND number = ANY($2)',
      [board_id, rounds.map(({ number }) => number)],
    )
    const keys = new Map(rows.map(({ number, key_id }) => [number, key_id]))
    const inputs = new Map<number, StoredRowInput>()
    for (const [index, { number, request }] of rounds.entries()) {
      const key = keys.get(number)
      if (request && key)
        inputs.set(number, await this.#toInput(key, request, `body.rounds.${index}.request`, accessScope))
    }
    return inputs
  }

  /** @throws ProblemError 400 where the operation of the key does not take the request, 404 where the key is out of scope */
  async #toInput(
    key: string,
    { body, workflow_id }: RoundRequest,
    path: string,
    accessScope: AccessScope,
  ): Promise<StoredRowInput> {
    const { kind, mode } = await this.#vault.getCredential(key, accessScope)
    const entry = ENTRY_BY_KEY_KIND[kind]
    if (!entry)
      throw invalidFieldError(path, `needs the key of a chat, a completion or a workflow; this is a ${kind} key`)
    const { workflow_id: _, ...unpinned } = body
    const parsed = ENDPOINTS[entry].body.safeParse(unpinned)
    if (!parsed.success) throw new ProblemError(toInvalidProblem(`${path}.body`, parsed.error))
    const { inputs, files, user, response_mode } = parsed.data
    const turns = 'query' in parsed.data ? { turns: [parsed.data.query as string] } : {}
    return {
      entry,
      inputs,
      beside: {},
      ...(files && { files }),
      ...turns,
      settings: {
        user,
        response_mode: isStreamingOnly({ mode }) ? 'streaming' : response_mode,
        ...(workflow_id !== null && entry !== 'completion.send' && { workflow_id }),
      },
    }
  }
}

const ENDPOINTS = {
  'chat.send': contract.chat.send,
  'completion.send': contract.completion.send,
  'workflows.run': contract.workflows.run,
}
const ENTRY_BY_KEY_KIND: Partial<Record<KeyKind, keyof typeof ENDPOINTS>> = {
  chat: 'chat.send',
  completion: 'completion.send',
  workflow: 'workflows.run',
}

const toRowTitle = ({ inputs, turns }: StoredRowInput): string => getRunTitle({ inputs, query: turns?.[0] })

/** Stopping needs the right for one key of the batch; a board without rounds has nothing to stop. */
async function requireOneKey(client: PoolClient, board_id: string, accessScope: AccessScope): Promise<void> {
  const { rows } = await client.query<{ may: boolean | null }>(
    `SELECT bool_or(${IS_VISIBLE_ROUND}) AS may ${FROM_ROUNDS} WHERE rows.batch_id = $1`,
    [board_id, accessScope],
  )
  if (rows[0]?.may === false)
    throw new ProblemError({ kind: 'denied', status: 403, message: 'You may use no app of the rounds of this board.' })
}

async function requireFreeRounds(client: PoolClient, board_id: string, cells: readonly CellRounds[]): Promise<void> {
  const { rows } = await client.query<{ cell: string; rounds: number }>(
    'SELECT cell, count(*)::int AS rounds FROM batch_rows WHERE batch_id = $1 GROUP BY cell',
    [board_id],
  )
  for (const { cell, rounds } of cells) {
    const known = rows.find((row) => row.cell === cell)?.rounds ?? 0
    if (known + rounds > MAX_BOARD_ROUNDS) throw toConflict(`A cell has at most ${MAX_BOARD_ROUNDS} rounds.`)
  }
}

const toConflict = (message: string) => new ProblemError({ kind: 'invalid', status: 409, message } satisfies Problem)
