import { setTimeout as wait } from 'node:timers/promises'
import type { Postgresql } from '../../server/db/postgresql.testing.ts'
import { type ProxyState, TcpProxy } from '../../server/db/tcpProxy.testing.ts'
import { BrowserClient } from './browserClient.ts'
import { pollUntil, withScriptedConsole } from './consoleClient.ts'
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

const PROBE_INTERVAL_MS = 100
const ANSWER_TIMEOUT_MS = 30_000
const RECOVERY_TIMEOUT_MS = 30_000
const READ_PATH = '/api/runs?limit=1'
const PROBE_PATHS = { read: READ_PATH, ready: '/readyz', health: '/healthz' } as const

/**
 * Takes its PostgreSQL away from a real Loupe that reads streams, and gives it back. What a browser was shown must be in
 * the database afterwards, every run must have ended as it was said to have, and the server must go on by itself.
 */
export async function simulateOutages({
  database,
  outages,
  streams,
  onCycle,
}: {
  /** An empty one. */
  database: Pick<Postgresql, 'url'> & Partial<Postgresql>
  outages: readonly Outage[]
  streams: number
  onCycle?: (outage: OutageResult) => void
}): Promise<OutageResult[]> {
  const proxy = await TcpProxy.to(database.url)
  try {
    return await withScriptedConsole({ DATABASE_URL: proxy.url }, async ({ platform, loupe, cookie, send, keys }) => {
      const ask = async (path: string): Promise<Response | null> => {
        const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
        const response = await fetch(loupe.url + path, { headers: { cookie }, signal }).catch(() => null)
        const text = await response?.text().catch(() => null)
        return text === null ? null : (response ?? null)
      }
      const all: OutageResult[] = []
      for (const [number, outage] of outages.entries()) {
        const fallSilent = streamForever(platform)
        const browser = await BrowserClient.open(loupe.url, cookie, keys)
        const runs = browser.startRuns(String(number), streams, 3)
        while (runs.some(({ shownFrames }) => shownFrames.size === 0)) await wait(20)
        if (outage.state === 'crashed') await database.crash?.()
        else proxy.set(outage.state)
        const { answers } = await probeFor(ask, outage.ms)
        // Where nobody is there each answer is one of that time; on a stalled line it may wait for the line.
        if (outage.state !== 'stalled') await answers
        if (outage.state === 'crashed') database.restart?.()
        else proxy.set('open')
        const probed = await answers
        const restoredAt = performance.now()
        await pollUntil(
          () => ask(READ_PATH),
          (response) => response?.ok === true,
          { intervalMs: PROBE_INTERVAL_MS, timeoutMs: 2 * RECOVERY_TIMEOUT_MS },
        )
        const back_ms = Math.round(performance.now() - restoredAt)
        fallSilent()
        const result = { ...outage, ...probed, back_ms, ...(await inspectRuns(send, runs, platform)) }
        if (back_ms > RECOVERY_TIMEOUT_MS) result.problems.push(`it had not come back after ${RECOVERY_TIMEOUT_MS} ms`)
        onCycle?.(result)
        all.push(result)
        browser.close()
      }
      return all
    })
  } finally {
    await proxy.close()
  }
}

type Probes = Pick<OutageResult, 'read' | 'ready' | 'health' | 'unsaid'>

/** Sends requests for the given milliseconds. Pending ones are answered later. */
async function probeFor(
  ask: (path: string) => Promise<Response | null>,
  ms: number,
): Promise<{ answers: Promise<Probes> }> {
  const probes: Probes = { read: {}, ready: {}, health: {}, unsaid: 0 }
  const until = performance.now() + ms
  const asking: Promise<void>[] = []
  const probe = async (what: keyof typeof PROBE_PATHS) => {
    const response = await ask(PROBE_PATHS[what])
    const status = String(response?.status ?? 'none')
    probes[what][status] = (probes[what][status] ?? 0) + 1
    if (what === 'read' && status === '503' && !response?.headers.get('retry-after')) probes.unsaid++
  }
  while (performance.now() < until) {
    asking.push(probe('read'), probe('ready'), probe('health'))
    await wait(Math.min(Math.max(PROBE_INTERVAL_MS, ms / 20), Math.max(until - performance.now(), 0)))
  }
  return { answers: Promise.all(asking).then(() => probes) }
}
