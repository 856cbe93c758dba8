import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/batches.ts'
import type { Frame } from '#contract/runs.ts'
import { message, messageEnd, newIds, openStream, refuse, ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Loupe } from '../../e2e/loupe.ts'
import { newFolder } from '../../server/database/folder.testing.ts'
import { Browser } from './browser.ts'
import { addKeys, signIn } from './console.ts'
import { look } from './streams.ts'

/** Debian's package `faketime`. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** Whether a process can be given a clock of its own here. */
export const canBendClocks = LIBRARY !== undefined

export interface Jumped {
  /** As libfaketime has it: `+1h`, or `@2038-01-19 03:14:00`. */
  to: string
  /** Whether who was signed in still was. */
  isSignedIn: boolean
  ends: Record<string, number>
  problems: string[]
}

/** Milliseconds that no stream of these takes, on the slowest machine. */
const LONGEST = 10 * 60_000
const ROWS = 20

/**
 * Lets the clock of a real Loupe jump in the middle of streams and of a batch, and back again. Every frame must be there in
 * its order with a time that goes on evenly, the runs end as their platform ended them, and each row of the batch.
 */
export async function bendClock({
  jumps,
  zone = 'UTC',
}: {
  jumps: readonly string[]
  zone?: string
}): Promise<Jumped[]> {
  const place = mkdtempSync(join(tmpdir(), 'loupe-clock-'))
  const clock = join(place, 'clock')
  const set = (to: string) => writeFileSync(clock, `${to}\n`)
  set('+0')
  const platform = await ScriptedPlatform.start()
  const loupe = new Loupe({
    PLATFORM: 'off',
    TZ: zone,
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  try {
    cpSync(await newFolder(), loupe.folder, { recursive: true })
    await loupe.start()
    const first = await signIn(loupe)
    const keys = await addKeys(first.send, platform.url, ['chat', 'completion', 'workflow'])
    const all: Jumped[] = []
    for (const [number, to] of jumps.entries()) {
      platform.seen.length = 0
      let isOver = false
      platform.script = ({ method, body }, response) => {
        if (method === 'GET') return refuse(response, 404, { code: 'not_found', message: 'not here', status: 404 })
        const ids = newIds()
        openStream(response)
        if (body.includes('row ')) return void response.end(message(ids, 'done') + messageEnd(ids))
        const timer = setInterval(() => {
          if (!isOver) return void response.write(message(ids, 'word '))
          clearInterval(timer)
          response.end(messageEnd(ids))
        }, 20)
        response.once('close', () => clearInterval(timer))
      }
      const { cookie } = await signIn(loupe)
      const browser = await Browser.open(loupe.url, cookie, keys)
      const asked = Array.from({ length: 6 }, (_, index) => browser.ask(`${number}.${index}`, index % 3))
      // Whoever's session has ended by the clock is shown no more; the run goes on.
      const over = new Set<string>()
      for (const one of asked) void one.over.then(() => over.add(one.id))
      const grown = async (by: number) => {
        const from = asked.map(({ shown }) => shown.size)
        while (asked.some(({ id, shown }, index) => !over.has(id) && shown.size < (from[index] ?? 0) + by))
          await wait(20)
      }
      await grown(10)
      set(to)
      await grown(10)
      const session = await fetch(`${loupe.url}/api/session`, { headers: { cookie } })
      await session.text()
      const { send: later } = await signIn(loupe)
      const batch = await beginBatch(later, keys.completion)
      await grown(5)
      set('+0')
      await grown(10)
      isOver = true
      const { send: now } = await signIn(loupe)
      const { ends, problems } = await look(now, asked, platform)
      for (const { id, name } of asked) {
        const { data } = await now<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=5000`)
        const times = data.map(({ at }) => at)
        if (times.some((at, index) => at < (times[index - 1] ?? 0)))
          problems.push(`${name} has a frame before the one before it`)
        if ((times.at(-1) ?? 0) > LONGEST) problems.push(`${name} is said to have taken ${times.at(-1)} ms`)
      }
      const read = () => now<Batch>('GET', `/api/batches/${batch}`)
      let state = await read()
      for (
        const began = performance.now();
        state.state !== 'ended' && performance.now() - began < 60_000;
        state = await read()
      )
        await wait(100)
      if (state.counts.succeeded !== ROWS) problems.push(`the batch: ${JSON.stringify(state.counts)}, ${state.state}`)
      all.push({ to, isSignedIn: session.ok, ends, problems })
      browser.close()
    }
    return all
  } finally {
    await loupe.remove()
    await platform.close()
    rmSync(place, { recursive: true, force: true })
  }
}

async function beginBatch(send: Awaited<ReturnType<typeof signIn>>['send'], key: string): Promise<string> {
  const { id } = await send<Batch>('POST', '/api/batches', {
    key,
    name: 'Beside',
    total: ROWS,
    settings: { user: 'clock' },
    at_once: 2,
  })
  const rows = Array.from({ length: ROWS }, (_, index) => ({ inputs: { text: `row ${index}` } }))
  await send('POST', `/api/batches/${id}/rows`, { first: 1, rows })
  await send('POST', `/api/batches/${id}/start`, {})
  return id
}
