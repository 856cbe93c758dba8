import { existsSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { LoupeProcess } from '#support/loupeProcess.ts'
import type { Figure } from './figure.ts'
import {
  setUpConsole,
  freePort,
  runLoad,
  toLoupeTarget,
  type LoadMeasurement,
  median,
  NGINX_PATH,
  startNginx,
  startUpstream,
} from './relayBench.ts'

/** So many streams open at once, each of so many frames, so many a second. */
interface StreamCase {
  streams: number
  framesPerSecond: number
  frames: number
  /** On a server that has had no stream before. */
  isCold?: boolean
  goals?: Partial<Record<'complete' | 'cpu' | 'firstFrame' | 'delayP50' | 'delayP99' | 'memory' | 'rss', string>>
}
const STREAM_CASES: StreamCase[] = [
  { streams: 1, framesPerSecond: 20, frames: 200 },
  {
    streams: 300,
    framesPerSecond: 20,
    frames: 240,
    isCold: true,
    goals: { cpu: '<= 3 times', firstFrame: '<= 100 ms' },
  },
  {
    streams: 1000,
    framesPerSecond: 20,
    frames: 240,
    goals: {
      cpu: '<= 2.5 times',
      firstFrame: '<= 150 ms',
      delayP50: '<= 15 ms',
      delayP99: '<= 100 ms',
      memory: '<= 64 KiB',
    },
  },
  {
    streams: 2000,
    framesPerSecond: 5,
    frames: 60,
    goals: { complete: '2000', delayP99: '<= 200 ms', rss: '<= 600 MiB' },
  },
  { streams: 2000, framesPerSecond: 20, frames: 240, goals: { complete: '2000' } },
]
const ROUND_COUNT = 3
const MIN_STREAMS_FOR_MEMORY = 100
/** Milliseconds in which each stream is opened. */
const RAMP_MS_PER_STREAM = 2
const LIST_PATH = '/datasets/00000000-0000-4000-8000-000000000001/documents?limit=20'
const LIST_LOAD = { connections: 50, seconds: 4 }

type MeasuredRounds = Map<StreamCase, LoadMeasurement[]>

/**
 * Many concurrent streams through Loupe, with each frame in the ledger before it is sent, against nginx (which stores
 * nothing) and the upstream alone. Of each case the median of its rounds; each uses a new Loupe process.
 */
export async function runStreamsBench(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  const proxy = existsSync(NGINX_PATH) ? await startNginx(port) : null
  try {
    const ways: Record<string, MeasuredRounds> = { direct: new Map(), nginx: new Map(), loupe: new Map() }
    const note = (target: string, one: StreamCase, measured: LoadMeasurement) => {
      const rounds = ways[target] ?? new Map<StreamCase, LoadMeasurement[]>()
      rounds.set(one, [...(rounds.get(one) ?? []), measured])
      console.error(`  ${target} ${one.streams} at ${one.framesPerSecond}/s: ${JSON.stringify(measured)}`)
    }
    for (const one of STREAM_CASES)
      for (let round = 0; round < ROUND_COUNT; round++) {
        note('direct', one, await runLoad([...toUpstreamTarget(port), ...toLoadArgs(one)]))
        if (proxy) {
          const to = ['--url', `http://127.0.0.1:${proxy.port}`, '--pidtree', String(proxy.pid)]
          note('nginx', one, await runLoad([...to, ...toLoadArgs(one)]))
        }
        const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
        try {
          const to = [...(await toLoupeTarget(loupe, port)), '--pidtree', String(loupe.pid)]
          if (!one.isCold) await runLoad([...to, '--concurrency', '5', '--n', '20', '--rate', '50'])
          note('loupe', one, await runLoad([...to, ...toLoadArgs(one)]))
        } finally {
          await loupe.remove()
        }
      }
    return [...STREAM_CASES.flatMap((one) => toFigures(one, ways)), ...(await measureLists(port, proxy))]
  } finally {
    upstream.kill()
    proxy?.stop()
  }
}

const toUpstreamTarget = (port: number) => [
  '--url',
  `http://127.0.0.1:${port}`,
  '-H',
  'authorization: Bearer app-bench',
]

const toLoadArgs = ({ streams, framesPerSecond, frames }: StreamCase): string[] => [
  ...['--concurrency', String(streams), '--n', String(frames), '--rate', String(framesPerSecond)],
  ...['--ramp', String(streams * RAMP_MS_PER_STREAM), '--timeout', '280'],
]

function toFigures(one: StreamCase, { direct, nginx, loupe }: Record<string, MeasuredRounds>): Figure[] {
  const of = (rounds: MeasuredRounds | undefined, figure: keyof LoadMeasurement) =>
    median((rounds?.get(one) ?? []).map((measured) => measured[figure]))
  const maxOf = (figure: keyof LoadMeasurement) =>
    Math.max(...(loupe?.get(one) ?? []).map((measured) => measured[figure]))
  const name = `${one.streams} at ${one.framesPerSecond}/s${one.isCold ? ', cold server' : ''}`
  const { goals = {} } = one
  const figure = (
    what: string,
    value: number,
    unit: string,
    { goal, against }: { goal?: string | undefined; against?: string } = {},
  ): Figure => ({
    bench: 'streams',
    what: `${name}: ${what}`,
    value,
    unit,
    ...(goal && { goal }),
    ...(against && { against }),
  })
  const isComplete = Math.min(...(loupe?.get(one) ?? []).map(({ ok, short }) => ok - short))
  const nginxCpu = of(nginx, 'cpu_us_per_event')
  return [
    figure('complete streams', isComplete, `of ${one.streams}`, { goal: goals.complete }),
    figure('streams a second', of(loupe, 'streams_per_s'), '', {
      against: `nginx ${of(nginx, 'streams_per_s').toPrecision(3)}, direct ${of(direct, 'streams_per_s').toPrecision(3)}`,
    }),
    figure('first frame, p50', of(loupe, 'ttfe_p50'), 'ms', {
      against: `nginx ${of(nginx, 'ttfe_p50').toFixed(1)} ms`,
      goal: goals.firstFrame,
    }),
    figure('added to a frame, p50', of(loupe, 'lat_p50') - of(direct, 'lat_p50'), 'ms', {
      against: `nginx ${(of(nginx, 'lat_p50') - of(direct, 'lat_p50')).toFixed(1)} ms`,
      goal: goals.delayP50,
    }),
    figure('added to a frame, p99', of(loupe, 'lat_p99') - of(direct, 'lat_p99'), 'ms', {
      against: `nginx ${(of(nginx, 'lat_p99') - of(direct, 'lat_p99')).toFixed(1)} ms`,
      goal: goals.delayP99,
    }),
    figure('CPU of a frame', of(loupe, 'cpu_us_per_event') / nginxCpu, 'times nginx', {
      against: `nginx ${nginxCpu.toFixed(0)} µs`,
      goal: goals.cpu,
    }),
    // Of a few streams, the collections of garbage between two readings are larger.
    ...(one.streams < MIN_STREAMS_FOR_MEMORY
      ? []
      : [figure('memory of an open stream', of(loupe, 'kib_per_stream'), 'KiB', { goal: goals.memory })]),
    figure('RSS at most', maxOf('rss_peak_mib'), 'MiB', { goal: goals.rss }),
  ]
}

/** The list of 20 documents, requested sequentially by each of 50 connections. */
async function measureLists(port: number, proxy: { port: number } | null): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
  try {
    const { cookie, pathOf } = await setUpConsole(loupe, port)
    const path = await pathOf('knowledge')
    const rates: Record<string, number[]> = { nginx: [], loupe: [] }
    for (let round = 0; round < ROUND_COUNT; round++) {
      if (proxy) rates.nginx?.push(await measureRequestsPerSecond(`http://127.0.0.1:${proxy.port}/v1${LIST_PATH}`))
      rates.loupe?.push(await measureRequestsPerSecond(loupe.url + path + LIST_PATH, { cookie }))
    }
    const [nginx, own] = [median(rates.nginx ?? []), median(rates.loupe ?? [])]
    return [
      {
        bench: 'streams',
        what: 'list of 20 documents: requests a second',
        value: own / nginx,
        unit: 'times nginx',
        against: `nginx ${nginx.toFixed(0)}/s, Loupe ${own.toFixed(0)}/s`,
        goal: '>= 0.25 times',
      },
    ]
  } finally {
    await loupe.remove()
  }
}

/** @returns replies per second. @throws if one of them is not 200. */
async function measureRequestsPerSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: LIST_LOAD.connections })
  const until = performance.now() + LIST_LOAD.seconds * 1000
  let count = 0
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
        response.resume().once('end', resolve)
      }).once('error', reject)
    })
  const asking = Array.from({ length: LIST_LOAD.connections }, async () => {
    for (; performance.now() < until; count++) await ask()
  })
  await Promise.all(asking)
  agent.destroy()
  return count / LIST_LOAD.seconds
}
