import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Frame } from '#contract/runs.ts'
import { ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Loupe } from '../../e2e/loupe.ts'
import { programs } from '../../e2e/programs.ts'
import { newFolder } from '../../server/database/folder.testing.ts'
import { ended, make } from './batch.ts'
import { Browser } from './browser.ts'
import { addApps, signIn } from './console.ts'
import { look, type Looked } from './streams.ts'
import { talkOn } from './upstream.ts'

export interface Jumped extends Pick<Looked, 'ends' | 'problems'> {
  /** As libfaketime has it: `+1h`, or `@2038-01-19 03:14:00`. */
  to: string
  /** Whether who was signed in still was. */
  isSignedIn: boolean
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
  const library = programs.libfaketime.find()
  if (!library) throw new Error('This machine has no libfaketime (Debian: apt install libfaketime).')
  const place = mkdtempSync(join(tmpdir(), 'loupe-clock-'))
  const clock = join(place, 'clock')
  const set = (to: string) => writeFileSync(clock, `${to}\n`)
  set('+0')
  const platform = await ScriptedPlatform.start()
  const loupe = new Loupe({
    PLATFORM: 'off',
    TZ: zone,
    LD_PRELOAD: join(library, 'libfaketimeMT.so.1'),
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  try {
    cpSync(await newFolder(), loupe.folder, { recursive: true })
    await loupe.start()
    const first = await signIn(loupe)
    const keys = await addApps(first.send, platform.url)
    const all: Jumped[] = []
    for (const [number, to] of jumps.entries()) {
      const fallSilent = talkOn(platform)
      const { cookie } = await signIn(loupe)
      const browser = await Browser.open(loupe.url, cookie, keys)
      const asked = browser.askMany(String(number), 6, 3)
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
      const batch = await make(later, keys.completion, ROWS)
      await grown(5)
      set('+0')
      await grown(10)
      fallSilent()
      const { send: now } = await signIn(loupe)
      const { ends, problems } = await look(now, asked, platform)
      for (const { id, name } of asked) {
        const { data } = await now<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=5000`)
        const times = data.map(({ at }) => at)
        if (times.some((at, index) => at < (times[index - 1] ?? 0)))
          problems.push(`${name} has a frame before the one before it`)
        if ((times.at(-1) ?? 0) > LONGEST) problems.push(`${name} is said to have taken ${times.at(-1)} ms`)
      }
      const { counts, state } = await ended(now, batch)
      if (counts.succeeded !== ROWS) problems.push(`the batch: ${JSON.stringify(counts)}, ${state}`)
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
