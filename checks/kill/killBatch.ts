import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch, BatchRow } from '#contract/console/batches.ts'
import {
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  ScriptedPlatform,
} from '#support/platforms/scriptedPlatform.ts'
import { addKeys, createPreparedLoupe, type SendRequest, signIn } from './consoleClient.ts'

export interface BatchKillOptions {
  rows: number
  kills: number
  /** Additional environment of the server. */
  env?: Record<string, string>
}
export interface BatchKillResult {
  counts: Batch['counts']
  /** Rows that had ended at each kill. */
  ended_before_kill: number[]
  /** Errors found afterwards, one line per row. */
  problems: string[]
}

const MAX_CONCURRENT_ROWS = 8
/** Rows of one request. */
const ROWS_PER_REQUEST = 500
const BATCH_TIMEOUT_MS = 120_000

/**
 * Has a real Loupe work on a batch, kills it with `kill -9` in the middle, and starts it again, so many times. Nobody asks
 * it to go on. Afterwards the platform must have met no row twice, and each row must have been run or be `unknown`.
 */
export async function killWhileBatch({ rows, kills, env = {} }: BatchKillOptions): Promise<BatchKillResult> {
  const platform = await ScriptedPlatform.start()
  platform.script = (_seen, response) => answerBatchRow(response)
  const loupe = await (await createPreparedLoupe({ PLATFORM: 'off', ...env })).start()
  try {
    const { send: console_ } = await signIn(loupe)
    const { completion } = await addKeys(console_, platform.url, ['completion'])
    const id = await createBatch(console_, completion, rows)
    const ended_before: number[] = []
    for (let kill = 1; kill <= kills; kill++) {
      ended_before.push(await waitForEndedRows(console_, id, Math.floor((rows * kill) / (kills + 1))))
      await loupe.kill()
      await loupe.start()
    }
    const batch = await waitForEnd(console_, id)
    const all = await listRows(console_, id)
    return {
      counts: batch.counts,
      ended_before_kill: ended_before,
      problems: findRowProblems(all, countSentRows(platform)),
    }
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

export async function answerBatchRow(response: ServerResponse): Promise<void> {
  const ids = createAnswerIds()
  openStream(response)
  for (const word of ['one ', 'two']) {
    response.write(toMessageBlock(ids, word))
    await wait(10)
  }
  response.end(toMessageEndBlock(ids, { usage: { total_tokens: 2 } }))
}

/** One line for each row that was sent twice, or never, or neither ran nor is `unknown`. */
export function findRowProblems(rows: BatchRow[], sent: Map<string, number>): string[] {
  return rows.flatMap(({ number, state, title }) => {
    const times = sent.get(title) ?? 0
    if (times > 1) return [`row ${number} was sent ${times} times`]
    if (state === 'succeeded') return times === 1 ? [] : [`row ${number} succeeded and was never sent`]
    return state === 'unknown' ? [] : [`row ${number} ended as ${state}`]
  })
}

export function countSentRows(platform: ScriptedPlatform): Map<string, number> {
  const times = new Map<string, number>()
  for (const { path, body } of platform.requests) {
    if (!path.endsWith('/completion-messages')) continue
    const { text } = (JSON.parse(body) as { inputs: { text?: string } }).inputs
    if (text === undefined) continue
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  return times
}

/** Creates a batch with the given number of rows and starts it. @returns its id. */
export async function createBatch(send: SendRequest, completion: string, count: number): Promise<string> {
  const { id } = await send<Batch>('POST', '/api/batches', {
    key: completion,
    name: 'Killed',
    total: count,
    settings: { user: 'killer' },
    at_once: MAX_CONCURRENT_ROWS,
  })
  const rows = Array.from({ length: count }, (_, index) => ({ inputs: { text: `row ${index + 1}` } }))
  for (let first = 1; first <= count; first += ROWS_PER_REQUEST)
    await send('POST', `/api/batches/${id}/rows`, { first, rows: rows.slice(first - 1, first - 1 + ROWS_PER_REQUEST) })
  await send('POST', `/api/batches/${id}/start`, {})
  return id
}

/** Waits until the given number of rows have ended, and returns the actual number. */
export async function waitForEndedRows(send: SendRequest, id: string, minEndedRows: number): Promise<number> {
  for (;;) {
    const { counts, total } = await send<Batch>('GET', `/api/batches/${id}`)
    const done = total - counts.waiting - counts.running
    if (done >= minEndedRows) return done
    await wait(20)
  }
}

export async function waitForEnd(send: SendRequest, id: string): Promise<Batch> {
  const deadline = Date.now() + BATCH_TIMEOUT_MS
  for (;;) {
    const batch = await send<Batch>('GET', `/api/batches/${id}`)
    if (batch.state === 'ended' || Date.now() > deadline) return batch
    await wait(200)
  }
}

export async function listRows(send: SendRequest, id: string): Promise<BatchRow[]> {
  const all: BatchRow[] = []
  for (let page = 1; ; page++) {
    const { data, has_more } = await send<{ data: BatchRow[]; has_more: boolean }>(
      'GET',
      `/api/batches/${id}/rows?limit=200&page=${page}`,
    )
    all.push(...data)
    if (!has_more) return all
  }
}
