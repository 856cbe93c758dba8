import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import type { Figure } from '../figure.ts'
import { createEnglishText, createRandom } from '../platform/syntheticTexts.ts'
import { median } from '../relayBench.ts'

const RUN_COUNT = 2_000
const WARM_UP_RUN_COUNT = 500
const RUNS_AT_ONCE = 50
const ROUND_COUNT = 3
const QUESTION_WORDS = 20
const ANSWER_WORDS = 100

interface Variant {
  /** Names of the indexes that are dropped before. */
  isDropped?: (name: string) => boolean
  /** One insert and one update for a run: its ids are not written until it ends. */
  skipsIds?: boolean
}
const GIN_INDEXES = ['calls_by_search_text', 'calls_by_resource_ids']
const VARIANTS: Record<string, Variant> = {
  'as it is': {},
  'without the search index': { isDropped: (name) => name === 'calls_by_search_text' },
  'without the index of ids': { isDropped: (name) => name === 'calls_by_resource_ids' },
  'without all other indexes': { isDropped: (name) => name !== 'calls_pkey' && !GIN_INDEXES.includes(name) },
  'without the update that writes its ids while it is active': { skipsIds: true },
}

/**
 * What the row of a run costs: the CPU of its three statements (insert, ids, end) in the process and its embedded database,
 * and the same with some indexes or with the second statement left out. Each round has a new folder for each variant, in turn.
 */
export async function runCallWriteBench(): Promise<Figure[]> {
  const measured = new Map<string, number[]>()
  for (let round = 0; round < ROUND_COUNT; round++)
    for (const [name, variant] of Object.entries(VARIANTS))
      measured.set(name, [...(measured.get(name) ?? []), await measureVariant(variant)])
  const whole = median(measured.get('as it is') ?? [])
  return [...measured].map(([name, values]) => ({
    bench: 'calls',
    what: `CPU of a run’s statements, ${name}`,
    ...(name === 'as it is'
      ? { value: whole, unit: 'ms', against: `${RUNS_AT_ONCE} runs at once, embedded` }
      : { value: median(values) / whole, unit: 'times', against: 'as it is' }),
  }))
}

/** @returns milliseconds of CPU for each run. */
async function measureVariant({ isDropped, skipsIds = false }: Variant): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-calls-'))
  const database = await openDatabase({ folder })
  try {
    if (isDropped) await dropIndexes(database.pool, isDropped)
    const ledger = new Ledger(database.pool)
    await writeRuns(ledger, WARM_UP_RUN_COUNT, skipsIds)
    const before = process.cpuUsage()
    await writeRuns(ledger, RUN_COUNT, skipsIds)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / RUN_COUNT
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeRuns(ledger: Ledger, count: number, skipsIds: boolean): Promise<void> {
  const random = createRandom(count)
  const [workspace_id, key_id, server_id] = [randomUUID(), randomUUID(), randomUUID()]
  let remaining = count
  const writeNext = async () => {
    while (remaining-- > 0) {
      const question = createEnglishText(random, QUESTION_WORDS)
      const ids = { conversation_id: randomUUID(), message_id: randomUUID(), task_id: randomUUID() }
      const id = randomUUID()
      await ledger.insertCall({
        id,
        entry: 'chat.send',
        status: 'dispatched',
        person_id: null,
        workspace_id,
        key_id,
        params: null,
        request: { query: question, inputs: {}, user: 'bench', response_mode: 'streaming' },
        request_hash: id,
        response_mode: 'streaming',
        title: question.slice(0, 60),
        end_user: 'bench',
        parent_id: null,
        server_id,
      })
      if (!skipsIds) await ledger.updateRunIds(id, { ...ids, workflow_run_id: null, workflow_id: null })
      await ledger.endCall(id, {
        status: 'succeeded',
        http_status: 200,
        answer: { answer: createEnglishText(random, ANSWER_WORDS) },
        frames: 40,
        bytes: 13_000,
        first_frame_ms: 8,
        first_token_ms: 9,
        duration_ms: 2_000,
        total_tokens: 120,
        total_price: '0.0012',
        currency: 'USD',
        resource_ids: [ids.conversation_id, ids.message_id, ids.task_id],
        ...ids,
      })
    }
  }
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, writeNext))
}

async function dropIndexes(pool: Database['pool'], isDropped: (name: string) => boolean): Promise<void> {
  const { rows } = await pool.query<{ indexname: string }>(`SELECT indexname FROM pg_indexes WHERE tablename = 'calls'`)
  for (const { indexname } of rows) if (isDropped(indexname)) await pool.query(`DROP INDEX "${indexname}"`)
}
