import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/console/batches.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { type SendRequest, signIn } from '../checks/kill/consoleClient.ts'
import type { Figure } from './figure.ts'

const COMPLETION_KEY = 'completion-of-the-bench'
const ROW_COUNT = 2_000
const MAX_CONCURRENT_ROWS = 8
const WARM_UP_ROWS = 200
const ROWS_PER_REQUEST = 500
const USER = 'bench'

type ResponseMode = 'blocking' | 'streaming'

/**
 * A batch of 2,000 rows on the built-in platform, 8 at once, against a loop of the same calls through the console with the
 * same concurrency (half of them before, half after), and against the same loop straight at the platform. Blocking, since
 * the built-in platform writes a stream at a reader's pace; then a batch of streams as well.
 */
export async function runBatchBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM_COMPLETION_KEY: COMPLETION_KEY }).start()
  try {
    const { send, sendRaw } = await signIn(loupe)
    const { data } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
    const key = data[0]?.keys.find(({ kind }) => kind === 'completion')?.id ?? ''
    const relayed = (mode: ResponseMode) => async (body: object) =>
      (await sendRaw('POST', `/api/keys/${key}/completion-messages`, { ...body, response_mode: mode })).text()
    const straight = (response_mode: ResponseMode) => async (body: object) => {
      const response = await fetch(`${loupe.platform}/completion-messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${COMPLETION_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, response_mode }),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response.text()
    }
    await measureLoop(relayed('blocking'), WARM_UP_ROWS)
    resetPeakMemory(loupe)
    const before = await measureLoop(relayed('blocking'), ROW_COUNT / 2)
    const rate = await measureBatch(send, key, ROW_COUNT, 'blocking')
    const memory = getPeakMemoryMib(loupe)
    const after = await measureLoop(relayed('blocking'), ROW_COUNT / 2)
    const direct = await measureLoop(straight('blocking'), ROW_COUNT / 2)
    const streamed = await measureLoop(relayed('streaming'), ROW_COUNT / 8)
    const streams = await measureBatch(send, key, ROW_COUNT / 4, 'streaming')
    const directStreams = await measureLoop(straight('streaming'), ROW_COUNT / 4)
    const looped = (before + after) / 2
    return [
      toFigure(`${ROW_COUNT} rows, ${MAX_CONCURRENT_ROWS} at once`, rate, 'rows/s', {
        against: `${looped.toFixed(1)} rows/s in a loop through the console`,
      }),
      toFigure('the same, as a ratio to that loop', rate / looped, 'times', {
        against: `before ${before.toFixed(1)}, after ${after.toFixed(1)} rows/s`,
        goal: '>= 0.9',
      }),
      toFigure('the same, as a ratio to a loop straight at the platform', rate / direct, 'times', {
        against: `${direct.toFixed(1)} rows/s, which writes no ledger`,
      }),
      toFigure('peak memory of the server meanwhile', memory, 'MiB', { goal: '< 700 MiB' }),
      toFigure(`${ROW_COUNT / 4} rows that stream, as a ratio to their loop`, streams / streamed, 'times', {
        against: `${streams.toFixed(1)} against ${streamed.toFixed(1)} rows/s`,
        goal: '>= 0.9',
      }),
      toFigure('the same, as a ratio to a loop straight at the platform', streams / directStreams, 'times', {
        against: `${directStreams.toFixed(1)} rows/s`,
      }),
    ]
  } finally {
    await loupe.remove()
  }
}

const toInputs = (number: number) => ({
  query: `Row ${number} asks for nothing. The server reads each row to its end. What came is kept and shown again.`,
  length: 'short',
})

/** Rows per second of plain calls, with the given concurrency. */
async function measureLoop(send: (body: object) => Promise<string>, count: number): Promise<number> {
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_ROWS }, async () => {
      while (next < count) await send({ inputs: toInputs(next++), user: USER })
    }),
  )
  return count / ((performance.now() - began) / 1000)
}

/** Rows per second of a batch, from its start to the end of its last row. */
async function measureBatch(
  send: SendRequest,
  key: string,
  count: number,
  response_mode: ResponseMode,
): Promise<number> {
  const { id } = await send<Batch>('POST', '/api/batches', {
    key,
    name: 'bench',
    total: count,
    settings: { user: USER, response_mode },
    at_once: MAX_CONCURRENT_ROWS,
  })
  for (let first = 1; first <= count; first += ROWS_PER_REQUEST) {
    const rows = Array.from({ length: Math.min(ROWS_PER_REQUEST, count + 1 - first) }, (_, index) => ({
      inputs: toInputs(first + index),
    }))
    await send('POST', `/api/batches/${id}/rows`, { first, rows })
  }
  await send('POST', `/api/batches/${id}/start`, {})
  for (;;) {
    // Polls like the page.
    await wait(1_000)
    const batch = await send<Batch>('GET', `/api/batches/${id}`)
    if (batch.state === 'paused') throw new Error(`the batch has paused: ${batch.pause}`)
    if (batch.state !== 'ended') continue
    if (batch.counts.succeeded !== count) throw new Error(`not all rows succeeded: ${JSON.stringify(batch.counts)}`)
    return count / ((Date.parse(batch.ended_at ?? '') - Date.parse(batch.began_at ?? '')) / 1000)
  }
}

/** Linux then resets the peak to the current resident memory. */
const resetPeakMemory = (loupe: LoupeProcess): void => writeFileSync(`/proc/${loupe.pid}/clear_refs`, '5')

/** Peak resident memory since then in MiB, including the embedded database. */
const getPeakMemoryMib = (loupe: LoupeProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${loupe.pid}/status`, 'utf8'))?.[1]) / 1024

const toFigure = (what: string, value: number, unit: string, more: Pick<Figure, 'against' | 'goal'> = {}): Figure => ({
  bench: 'batch',
  what,
  value,
  unit,
  ...more,
})
