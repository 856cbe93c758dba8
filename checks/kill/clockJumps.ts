import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Frame } from '#contract/console/runs.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { programs } from '#support/programs.ts'
import { waitForEnd, createBatch } from './killBatch.ts'
import { BrowserClient } from './browserClient.ts'
import { addAppKeys, createPreparedLoupe, signIn } from './consoleClient.ts'
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
  const set = (to: string) => writeFileSync(clock, `${to}\n`)
  set('+0')
  const platform = await ScriptedPlatform.start()
  const loupe = await createPreparedLoupe({
    PLATFORM: 'off',
    TZ: zone,
    LD_PRELOAD: join(library, 'libfaketimeMT.so.1'),
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  try {
    await loupe.start()
    const first = await signIn(loupe)
    const keys = await addAppKeys(first.send, platform.url)
    const all: ClockJumpResult[] = []
    for (const [number, to] of jumps.entries()) {
      const fallSilent = streamForever(platform)
      const { cookie } = await signIn(loupe)
      const browser = await BrowserClient.open(loupe.url, cookie, keys)
      const requestedRuns = browser.startRuns(String(number), 6, 3)
      // An expired session is shown no more frames; the run continues.
      const over = new Set<string>()
      for (const one of requestedRuns) void one.done.then(() => over.add(one.id))
      const grown = async (by: number) => {
        const from = requestedRuns.map(({ shownFrames }) => shownFrames.size)
        while (
          requestedRuns.some(
            ({ id, shownFrames }, index) => !over.has(id) && shownFrames.size < (from[index] ?? 0) + by,
          )
        )
          await wait(20)
      }
      await grown(10)
      set(to)
      await grown(10)
      const session = await fetch(`${loupe.url}/api/session`, { headers: { cookie } })
      await session.text()
      const { send: later } = await signIn(loupe)
      const batch = await createBatch(later, keys.completion, ROW_COUNT)
      await grown(5)
      set('+0')
      await grown(10)
      fallSilent()
      const { send: now } = await signIn(loupe)
      const { ends, problems } = await inspectRuns(now, requestedRuns, platform)
      for (const { id, name } of requestedRuns) {
        const { data } = await now<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=5000`)
        const sentCounts = data.map(({ at }) => at)
        if (sentCounts.some((at, index) => at < (sentCounts[index - 1] ?? 0)))
          problems.push(`${name} has a frame before the one before it`)
        if ((sentCounts.at(-1) ?? 0) > MAX_STREAM_MS)
          problems.push(`${name} is said to have taken ${sentCounts.at(-1)} ms`)
      }
      const { counts, state } = await waitForEnd(now, batch)
      if (counts.succeeded !== ROW_COUNT) problems.push(`the batch: ${JSON.stringify(counts)}, ${state}`)
      all.push({ to, isSignedIn: session.ok, ends, problems })
      browser.close()
    }
    return all
  } finally {
    await loupe.remove()
    await platform.close()
    rmSync(clockFolder, { recursive: true, force: true })
  }
}
