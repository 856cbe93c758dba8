import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/batches.ts'
import type { Workspace } from '#contract/console.ts'
import { Loupe, SETUP_TOKEN } from '../e2e/loupe.ts'
import type { Figure } from './figure.ts'

const KEY = 'completion-of-the-bench'
const ROWS = 2_000
const AT_ONCE = 8
const WARM_UP = 200
const PIECE = 500
const USER = 'bench'

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>
type Mode = 'blocking' | 'streaming'

/**
 * A batch of 2,000 rows on the built-in platform, 8 at once, against a loop of the same calls through the console with the
 * same concurrency (half of them before, half after), and against the same loop straight at the platform. Blocking, since
 * the built-in platform writes a stream at a reader's pace; then a batch of streams as well.
 */
export async function batch(): Promise<Figure[]> {
  const loupe = await new Loupe({ PLATFORM_COMPLETION_KEY: KEY }).start()
  try {
    const send = await signIn(loupe)
    const { data } = (await (await send('GET', '/api/workspaces')).json()) as { data: Workspace[] }
    const key = data[0]?.keys.find(({ kind }) => kind === 'completion')?.id ?? ''
    const relayed = (mode: Mode) => async (body: object) =>
      (await send('POST', `/api/keys/${key}/completion-messages`, { ...body, response_mode: mode })).text()
    const straight = (response_mode: Mode) => async (body: object) => {
      const response = await fetch(`${loupe.platform}/completion-messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, response_mode }),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response.text()
    }
    await loop(relayed('blocking'), WARM_UP)
    forgetPeak(loupe)
    const before = await loop(relayed('blocking'), ROWS / 2)
    const rate = await batchOf(send, key, ROWS, 'blocking')
    const memory = peakMemory(loupe)
    const after = await loop(relayed('blocking'), ROWS / 2)
    const direct = await loop(straight('blocking'), ROWS / 2)
    const streamed = await loop(relayed('streaming'), ROWS / 8)
    const streams = await batchOf(send, key, ROWS / 4, 'streaming')
    const directStreams = await loop(straight('streaming'), ROWS / 4)
    const looped = (before + after) / 2
    return [
      figure(`${ROWS} rows, ${AT_ONCE} at once`, rate, 'rows/s', {
        against: `${looped.toFixed(1)} rows/s in a loop through the console`,
      }),
      figure('the same, as a ratio to that loop', rate / looped, 'times', {
        against: `before ${before.toFixed(1)}, after ${after.toFixed(1)} rows/s`,
        goal: '>= 0.9',
      }),
      figure('the same, as a ratio to a loop straight at the platform', rate / direct, 'times', {
        against: `${direct.toFixed(1)} rows/s, which writes no ledger`,
      }),
      figure('peak memory of the server meanwhile', memory, 'MiB', { goal: '< 700 MiB' }),
      figure(`${ROWS / 4} rows that stream, as a ratio to their loop`, streams / streamed, 'times', {
        against: `${streams.toFixed(1)} against ${streamed.toFixed(1)} rows/s`,
        goal: '>= 0.9',
      }),
      figure('the same, as a ratio to a loop straight at the platform', streams / directStreams, 'times', {
        against: `${directStreams.toFixed(1)} rows/s`,
      }),
    ]
  } finally {
    await loupe.remove()
  }
}

const inputsOf = (number: number) => ({
  query: `Row ${number} asks for nothing. The server reads each row to its end. What came is kept and shown again.`,
  length: 'short',
})

/** Rows a second of plain calls, so many at once. */
async function loop(send: (body: object) => Promise<string>, count: number): Promise<number> {
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < count) await send({ inputs: inputsOf(next++), user: USER })
    }),
  )
  return count / ((performance.now() - began) / 1000)
}

/** Rows a second of a batch, from its start to the end of its last row. */
async function batchOf(send: Send, key: string, count: number, response_mode: Mode): Promise<number> {
  const made = await send('POST', '/api/batches', {
    key,
    name: 'bench',
    total: count,
    settings: { user: USER, response_mode },
    at_once: AT_ONCE,
  })
  const { id } = (await made.json()) as Batch
  for (let first = 1; first <= count; first += PIECE) {
    const rows = Array.from({ length: Math.min(PIECE, count + 1 - first) }, (_, index) => ({
      inputs: inputsOf(first + index),
    }))
    await send('POST', `/api/batches/${id}/rows`, { first, rows })
  }
  await send('POST', `/api/batches/${id}/start`, {})
  for (;;) {
    // As the page looks at it.
    await wait(1_000)
    const batch = (await (await send('GET', `/api/batches/${id}`)).json()) as Batch
    if (batch.state === 'paused') throw new Error(`the batch has paused: ${batch.pause}`)
    if (batch.state !== 'ended') continue
    if (batch.counts.succeeded !== count) throw new Error(`not all rows succeeded: ${JSON.stringify(batch.counts)}`)
    return count / ((Date.parse(batch.ended_at ?? '') - Date.parse(batch.began_at ?? '')) / 1000)
  }
}

async function signIn(loupe: Loupe): Promise<Send> {
  let cookie = ''
  const send: Send = async (method, path, body, headers = {}) => {
    const response = await fetch(loupe.url + path, {
      method,
      headers: { cookie, 'x-console': '1', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const session = await send('POST', '/api/session', { token: SETUP_TOKEN })
  cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return send
}

/** Linux then counts the peak anew, from what is resident now. */
const forgetPeak = (loupe: Loupe): void => writeFileSync(`/proc/${loupe.pid}/clear_refs`, '5')

/** The most resident memory since then, the embedded database included. MiB. */
const peakMemory = (loupe: Loupe): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${loupe.pid}/status`, 'utf8'))?.[1]) / 1024

const figure = (what: string, value: number, unit: string, more: Pick<Figure, 'against' | 'goal'> = {}): Figure => ({
  bench: 'batch',
  what,
  value,
  unit,
  ...more,
})
