import { setTimeout as wait } from 'node:timers/promises'
import { ScriptedPlatform } from '../../e2e/faults/platform.ts'
import { Loupe } from '../../e2e/loupe.ts'
import { Line, type LineState } from '../../server/database/line.testing.ts'
import type { Postgresql } from '../../server/database/postgresql.testing.ts'
import { Browser } from './browser.ts'
import { addApps, signIn } from './console.ts'
import { look, type Looked } from './streams.ts'
import { talkOn } from './upstream.ts'

export interface Outage {
  /** What becomes of the line; or of the server, which crashes then and recovers. */
  state: Exclude<LineState, 'open'> | 'crashed'
  /** Milliseconds. */
  ms: number
}
/** What the time without a database came to. */
export interface Away extends Outage, Looked {
  /** What reading, `/readyz` and `/healthz` answered meanwhile: how often which status; `none` after half a minute without. */
  read: Record<string, number>
  ready: Record<string, number>
  health: Record<string, number>
  /** Refusals with 503 that had no `Retry-After`. */
  unsaid: number
  /** Milliseconds from the line's being back until a list was answered again. */
  back_ms: number
}

/** Milliseconds: between two looks, that an answer may take, and by which it must go on by itself. */
const LOOK = 100
const ANSWER = 30_000
const BACK = 30_000

/**
 * Takes its PostgreSQL away from a real Loupe that reads streams, and gives it back. What a browser was shown must be in
 * the database afterwards, every run must have ended as it was said to have, and the server must go on by itself.
 */
export async function takeDatabaseAway({
  database,
  outages,
  streams,
  tell,
}: {
  /** An empty one. */
  database: Pick<Postgresql, 'url'> & Partial<Postgresql>
  outages: readonly Outage[]
  streams: number
  tell?: (away: Away) => void
}): Promise<Away[]> {
  const platform = await ScriptedPlatform.start()
  const line = await Line.to(database.url)
  const loupe = await new Loupe({ PLATFORM: 'off', DATABASE_URL: line.url }).start()
  try {
    const { cookie, send } = await signIn(loupe)
    const keys = await addApps(send, platform.url)
    const all: Away[] = []
    for (const [number, outage] of outages.entries()) {
      const fallSilent = talkOn(platform)
      const browser = await Browser.open(loupe.url, cookie, keys)
      const asked = browser.askMany(String(number), streams, 3)
      while (asked.some(({ shown }) => shown.size === 0)) await wait(20)
      if (outage.state === 'crashed') await database.crash?.()
      else line.set(outage.state)
      const asking = await lookOn(loupe.url, cookie, outage.ms)
      // Where nobody is there each answer is one of that time; on a stalled line it may wait for the line.
      if (outage.state !== 'stalled') await asking.answers
      if (outage.state === 'crashed') database.restart?.()
      else line.set('open')
      const said = await asking.answers
      const back_ms = await comeBack(loupe.url, cookie)
      fallSilent()
      const away = { ...outage, ...said, back_ms, ...(await look(send, asked, platform)) }
      if (back_ms > BACK) away.problems.push(`it had not come back after ${BACK} ms`)
      tell?.(away)
      all.push(away)
      browser.close()
    }
    return all
  } finally {
    await loupe.remove()
    await line.close()
    await platform.close()
  }
}

const count = (counts: Record<string, number>, status: string) => (counts[status] = (counts[status] ?? 0) + 1)

/** Asks for so many milliseconds. What is not answered by then is answered later. */
async function lookOn(url: string, cookie: string, ms: number) {
  const said = { read: {}, ready: {}, health: {}, unsaid: 0 } as Pick<Away, 'read' | 'ready' | 'health' | 'unsaid'>
  const until = performance.now() + ms
  const asking: Promise<void>[] = []
  while (performance.now() < until) {
    asking.push(
      ...[['read', '/api/runs?limit=1'] as const, ['ready', '/readyz'] as const, ['health', '/healthz'] as const].map(
        async ([what, path]) => {
          const response = await ask(url, cookie, path)
          count(said[what], response ? String(response.status) : 'none')
          if (what === 'read' && response?.status === 503 && !response.headers.get('retry-after')) said.unsaid++
        },
      ),
    )
    await wait(Math.min(Math.max(LOOK, ms / 20), Math.max(until - performance.now(), 0)))
  }
  return { answers: Promise.all(asking).then(() => said) }
}

async function comeBack(url: string, cookie: string): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < 2 * BACK) {
    if ((await ask(url, cookie, '/api/runs?limit=1'))?.ok) break
    await wait(LOOK)
  }
  return Math.round(performance.now() - began)
}

async function ask(url: string, cookie: string, path: string): Promise<Response | null> {
  try {
    const response = await fetch(url + path, { headers: { cookie }, signal: AbortSignal.timeout(ANSWER) })
    await response.text()
    return response
  } catch {
    return null
  }
}
