import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { programs } from '#support/programs.ts'
import { BrowserClient } from './browserClient.ts'
import { readAllFrames, signIn, withScriptedConsole } from './consoleClient.ts'
import { createBatch, waitForEnd } from './killBatch.ts'
import { inspectRuns, type RunInspection } from './killStreams.ts'
import { streamForever } from './streamingPlatform.ts'

export interface ClockJumpResult extends Pick<RunInspection, 'ends' | 'problems'> {
  /** In libfaketime's format: `+1h`, or `@2038-01-19 03:14:00`. */
  to: string
  /** Whether the session was still valid. */
  isSignedIn: boolean
}

/** Milliseconds that no stream of these exceeds, on the slowest machine. */
const MAX_STREAM_MS = 10 * 60_000
const ROW_COUNT = 20

/**
 * Lets the clock of a real Loupe jump in the middle of streams and of a batch, and back again. Every frame must be there in
 * its order with a time that goes on evenly, the runs end as their platform ended them, and each row of the batch.
 */
export async function jumpClock({
  jumps,
  zone = 'UTC',
}: {
  jumps: readonly string[]
  zone?: string
}): Promise<ClockJumpResult[]> {
  const library = programs.libfaketime.find()
  if (!library) throw new Error('This machine has no libfaketime (Debian: apt install libfaketime).')
  const clockFolder = mkdtempSync(join(tmpdir(), 'loupe-clock-'))
  const clock = join(clockFolder, 'clock')
  const setClock = (to: string) => writeFileSync(clock, `${to}\n`)
  setClock('+0')
  const env = {
    TZ: zone,
    LD_PRELOAD: join(library, 'libfaketimeMT.so.1'),
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  try {
    return await withScriptedConsole(env, async ({ platform, loupe, keys }) => {
      const all: ClockJumpResult[] = []
      for (const [number, to] of jumps.entries()) {
        const fallSilent = streamForever(platform)
        const { cookie } = await signIn(loupe)
        const browser = await BrowserClient.open(loupe.url, cookie, keys)
        const runs = browser.startRuns(String(number), 6, 3)
        // An expired session is shown no more frames; the run continues.
        const over = new Set<string>()
        for (const one of runs) void one.done.then(() => over.add(one.id))
        const untilGrown = async (by: number) => {
          const goals = runs.map((run) => ({ ...run, count: run.shownFrames.size + by }))
          while (goals.some(({ id, shownFrames, count }) => !over.has(id) && shownFrames.size < count)) await wait(20)
        }
        await untilGrown(10)
        setClock(to)
        await untilGrown(10)
        const session = await fetch(`${loupe.url}/api/session`, { headers: { cookie } })
        const batch = await createBatch((await signIn(loupe)).send, keys.completion, ROW_COUNT)
        await untilGrown(5)
        setClock('+0')
        await untilGrown(10)
        fallSilent()
        const { send } = await signIn(loupe)
        const { ends, problems } = await inspectRuns(send, runs, platform)
        for (const { id, name } of runs) {
          const times = (await readAllFrames(send, id)).map(({ at }) => at)
          if (times.some((at, index) => at < (times[index - 1] ?? 0)))
            problems.push(`${name} has a frame before the one before it`)
          if ((times.at(-1) ?? 0) > MAX_STREAM_MS) problems.push(`${name} is said to have taken ${times.at(-1)} ms`)
        }
        const { counts, state } = await waitForEnd(send, batch)
        if (counts.succeeded !== ROW_COUNT) problems.push(`the batch: ${JSON.stringify(counts)}, ${state}`)
        all.push({ to, isSignedIn: session.ok, ends, problems })
        browser.close()
      }
      return all
    })
  } finally {
    rmSync(clockFolder, { recursive: true, force: true })
  }
}
