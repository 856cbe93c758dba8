import { setTimeout as wait } from 'node:timers/promises'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { TcpProxy, type ProxyState } from '../../server/db/tcpProxy.testing.ts'
import type { Postgresql } from '../../server/db/postgresql.testing.ts'
import { BrowserClient } from './browserClient.ts'
import { addAppKeys, signIn } from './consoleClient.ts'
import { inspectRuns, type RunInspection } from './killStreams.ts'
import { streamForever } from './streamingPlatform.ts'

export interface Outage {
  /** The fault: of the connection; or of the server, which crashes then and recovers. */
  state: Exclude<ProxyState, 'open'> | 'crashed'
  /** Milliseconds. */
  ms: number
}
/** Result of the outage. */
export interface OutageResult extends Outage, RunInspection {
  /** What reading, `/readyz` and `/healthz` answered meanwhile: how often which status; `none` after half a minute without. */
  read: Record<string, number>
  ready: Record<string, number>
  health: Record<string, number>
  /** Refusals with 503 that had no `Retry-After`. */
  unsaid: number
  /** Milliseconds from the restored connection until a list was answered again. */
  back_ms: number
}

/** Milliseconds: between two looks, that an answer may take, and by which it must go on by itself. */
const PROBE_INTERVAL_MS = 100
const ANSWER_TIMEOUT_MS = 30_000
const RECOVERY_TIMEOUT_MS = 30_000

/**
 * Takes its PostgreSQL away from a real Loupe that reads streams, and gives it back. What a browser was shown must be in
 * the database afterwards, every run must have ended as it was said to have, and the server must go on by itself.
 */
export async function simulateOutages({
  database,
  outages,
  streams,
  tell: onOutage,
}: {
  /** An empty one. */
  database: Pick<Postgresql, 'url'> & Partial<Postgresql>
  outages: readonly Outage[]
  streams: number
  tell?: (away: OutageResult) => void
}): Promise<OutageResult[]> {
  const platform = await ScriptedPlatform.start()
  const proxy = await TcpProxy.to(database.url)
  const loupe = await new LoupeProcess({ PLATFORM: 'off', DATABASE_URL: proxy.url }).start()
  try {
    const { cookie, send } = await signIn(loupe)
    const keys = await addAppKeys(send, platform.url)
    const all: OutageResult[] = []
    for (const [number, outage] of outages.entries()) {
      const fallSilent = streamForever(platform)
      const browser = await BrowserClient.open(loupe.url, cookie, keys)
      const requestedRuns = browser.startRuns(String(number), streams, 3)
      while (requestedRuns.some(({ shownFrames }) => shownFrames.size === 0)) await wait(20)
      if (outage.state === 'crashed') await database.crash?.()
      else proxy.set(outage.state)
      const asking = await probeFor(loupe.url, cookie, outage.ms)
      // Where nobody is there each answer is one of that time; on a stalled line it may wait for the line.
      if (outage.state !== 'stalled') await asking.answers
      if (outage.state === 'crashed') database.restart?.()
      else proxy.set('open')
      const probeResult = await asking.answers
      const back_ms = await waitForRecovery(loupe.url, cookie)
      fallSilent()
      const away = { ...outage, ...probeResult, back_ms, ...(await inspectRuns(send, requestedRuns, platform)) }
      if (back_ms > RECOVERY_TIMEOUT_MS) away.problems.push(`it had not come back after ${RECOVERY_TIMEOUT_MS} ms`)
      onOutage?.(away)
      all.push(away)
      browser.close()
    }
    return all
  } finally {
    await loupe.remove()
    await proxy.close()
    await platform.close()
  }
}

const incrementCount = (counts: Record<string, number>, status: string) => (counts[status] = (counts[status] ?? 0) + 1)

/** Sends requests for the given milliseconds. Pending ones are answered later. */
async function probeFor(url: string, cookie: string, ms: number) {
  const probeCounts = { read: {}, ready: {}, health: {}, unsaid: 0 } as Pick<
    OutageResult,
    'read' | 'ready' | 'health' | 'unsaid'
  >
  const until = performance.now() + ms
  const asking: Promise<void>[] = []
  while (performance.now() < until) {
    asking.push(
      ...[['read', '/api/runs?limit=1'] as const, ['ready', '/readyz'] as const, ['health', '/healthz'] as const].map(
        async ([what, path]) => {
          const response = await ask(url, cookie, path)
          incrementCount(probeCounts[what], response ? String(response.status) : 'none')
          if (what === 'read' && response?.status === 503 && !response.headers.get('retry-after')) probeCounts.unsaid++
        },
      ),
    )
    await wait(Math.min(Math.max(PROBE_INTERVAL_MS, ms / 20), Math.max(until - performance.now(), 0)))
  }
  return { answers: Promise.all(asking).then(() => probeCounts) }
}

async function waitForRecovery(url: string, cookie: string): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < 2 * RECOVERY_TIMEOUT_MS) {
    if ((await ask(url, cookie, '/api/runs?limit=1'))?.ok) break
    await wait(PROBE_INTERVAL_MS)
  }
  return Math.round(performance.now() - began)
}

async function ask(url: string, cookie: string, path: string): Promise<Response | null> {
  try {
    const response = await fetch(url + path, { headers: { cookie }, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    await response.text()
    return response
  } catch {
    return null
  }
}
