import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch, BatchRow } from '#contract/console/batches.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import {
  createAnswerIds,
  openStream,
  type ScriptedPlatform,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { pollUntil, readPages, type SendRequest, withScriptedConsole } from './consoleClient.ts'

export interface BatchKillResult {
  counts: Batch['counts']
  /** Rows that had ended at each kill. */
  ended_before_kill: number[]
  /** Errors found afterwards, one line per row. */
  problems: string[]
}

const MAX_CONCURRENT_ROWS = 8
const ROWS_PER_REQUEST = 500

/**
 * Has a real Loupe work on a batch, kills it with `kill -9` in the middle, and starts it again, so many times. Nobody asks
 * it to go on. Afterwards the platform must have met no row twice, and each row must have been run or be `unknown`.
 */
export const killWhileBatch = ({
  rows,
  kills,
  env = {},
}: {
  rows: number
  kills: number
  env?: Record<string, string>
}): Promise<BatchKillResult> =>
  withScriptedConsole(env, async ({ platform, loupe, send, keys }) => {
    platform.script = (_seen, response) => answerBatchRow(response)
    const id = await createBatch(send, keys.completion, rows)
    const ended_before_kill = await killDuringBatch(loupe, send, id, kills, (kill) => kill / (kills + 1))
    const { counts } = await waitForEnd(send, id)
    const problems = findRowProblems(await listRows(send, id), countSentRows(platform))
    return { counts, ended_before_kill, problems }
  })

/**
 * Kills a Loupe while it works on a batch, and starts it again.
 * @param toShare the share of the rows that have ended at the kill of a number, from 1
 * @returns how many rows had ended at each
 */
export async function killDuringBatch(
  loupe: LoupeProcess,
  send: SendRequest,
  id: string,
  kills: number,
  toShare: (kill: number) => number,
): Promise<number[]> {
  const ended: number[] = []
  const countEnded = ({ counts, total }: Batch) => total - counts.waiting - counts.running
  for (let kill = 1; kill <= kills; kill++) {
    const read = () => send<Batch>('GET', `/api/batches/${id}`)
    const isDone = (batch: Batch) => countEnded(batch) >= Math.floor(batch.total * toShare(kill))
    ended.push(countEnded(await pollUntil(read, isDone, { intervalMs: 20 })))
    await loupe.kill()
    await loupe.start()
  }
  return ended
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
    if (text !== undefined) times.set(text, (times.get(text) ?? 0) + 1)
  }
  return times
}

/** Creates a batch with the given number of rows and starts it. @returns its id. */
export function createBatch(send: SendRequest, completion: string, count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => ({ inputs: { text: `row ${index + 1}` } }))
  const settings = { user: 'killer' }
  return startBatch(send, { key: completion, name: 'Killed', settings, at_once: MAX_CONCURRENT_ROWS }, rows)
}

export async function startBatch(send: SendRequest, batch: object, rows: object[]): Promise<string> {
  const { id } = await send<Batch>('POST', '/api/batches', { ...batch, total: rows.length })
  for (let first = 1; first <= rows.length; first += ROWS_PER_REQUEST)
    await send('POST', `/api/batches/${id}/rows`, { first, rows: rows.slice(first - 1, first - 1 + ROWS_PER_REQUEST) })
  await send('POST', `/api/batches/${id}/start`, {})
  return id
}

export const waitForEnd = (send: SendRequest, id: string): Promise<Batch> =>
  pollUntil(
    () => send<Batch>('GET', `/api/batches/${id}`),
    ({ state }) => state === 'ended',
    { intervalMs: 200 },
  )

export const listRows = (send: SendRequest, id: string): Promise<BatchRow[]> =>
  readPages(send, `/api/batches/${id}/rows`)
