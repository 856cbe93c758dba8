import { existsSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { Loupe } from '../e2e/loupe.ts'
import type { Figure } from './figure.ts'
import {
  consoleOf,
  freePort,
  load,
  loupeTarget,
  type Measured,
  median,
  NGINX,
  startNginx,
  startUpstream,
} from './relay.ts'

/** So many streams open at once, each of so many frames, so many a second. */
interface Case {
  open: number
  rate: number
  frames: number
}
const CASES: Case[] = [
  { open: 1, rate: 20, frames: 200 },
  { open: 200, rate: 20, frames: 240 },
  { open: 1000, rate: 20, frames: 240 },
  { open: 2000, rate: 5, frames: 60 },
  { open: 2000, rate: 20, frames: 240 },
]
const ROUNDS = 3
/** Milliseconds in which each stream is opened. */
const RAMP = 2
const LIST = '/datasets/00000000-0000-4000-8000-000000000001/documents?limit=20'
const ASKING = { connections: 50, seconds: 4 }

type Rounds = Map<Case, Measured[]>

/**
 * Many streams at once through Loupe, each frame in the ledger before it is sent on, against nginx (which keeps nothing) and
 * the upstream alone. Of each case the median of its rounds; a Loupe is started anew for each.
 */
export async function streams(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  const proxy = existsSync(NGINX) ? await startNginx(port) : null
  try {
    const ways: Record<string, Rounds> = { direct: new Map(), nginx: new Map(), loupe: new Map() }
    const note = (way: string, one: Case, measured: Measured) => {
      const rounds = ways[way] ?? new Map<Case, Measured[]>()
      rounds.set(one, [...(rounds.get(one) ?? []), measured])
      console.error(`  ${way} ${one.open} at ${one.rate}/s: ${JSON.stringify(measured)}`)
    }
    for (const one of CASES)
      for (let round = 0; round < ROUNDS; round++) {
        note('direct', one, await load([...toUpstream(port), ...loadOf(one)]))
        if (proxy) {
          const to = ['--url', `http://127.0.0.1:${proxy.port}`, '--pidtree', String(proxy.pid)]
          note('nginx', one, await load([...to, ...loadOf(one)]))
        }
        const loupe = await new Loupe({ PLATFORM: 'off' }).start()
        try {
          const to = [...(await loupeTarget(loupe, port)), '--pidtree', String(loupe.pid)]
          await load([...to, '--concurrency', '5', '--n', '20', '--rate', '50'])
          note('loupe', one, await load([...to, ...loadOf(one)]))
        } finally {
          await loupe.remove()
        }
      }
    return [...CASES.flatMap((one) => figuresOf(one, ways)), ...(await lists(port, proxy))]
  } finally {
    upstream.kill()
    proxy?.stop()
  }
}

const toUpstream = (port: number) => ['--url', `http://127.0.0.1:${port}`, '-H', 'authorization: Bearer app-bench']

const loadOf = ({ open, rate, frames }: Case): string[] => [
  ...['--concurrency', String(open), '--n', String(frames), '--rate', String(rate)],
  ...['--ramp', String(open * RAMP), '--timeout', '280'],
]

function figuresOf(one: Case, { direct, nginx, loupe }: Record<string, Rounds>): Figure[] {
  const of = (way: Rounds | undefined, figure: keyof Measured) =>
    median((way?.get(one) ?? []).map((measured) => measured[figure]))
  const most = (figure: keyof Measured) => Math.max(...(loupe?.get(one) ?? []).map((measured) => measured[figure]))
  const name = `${one.open} at ${one.rate}/s`
  const figure = (what: string, value: number, unit: string, rest: Partial<Figure> = {}): Figure => ({
    bench: 'streams',
    what: `${name}: ${what}`,
    value,
    unit,
    ...rest,
  })
  const is = (open: number, rate: number) => one.open === open && one.rate === rate
  const whole = Math.min(...(loupe?.get(one) ?? []).map(({ ok, short }) => ok - short))
  const nginxCpu = of(nginx, 'cpu_us_per_event')
  return [
    figure('whole streams', whole, `of ${one.open}`, one.open === 2000 ? { goal: `${one.open}` } : {}),
    figure('streams a second', of(loupe, 'streams_per_s'), '', {
      against: `nginx ${of(nginx, 'streams_per_s').toPrecision(3)}, direct ${of(direct, 'streams_per_s').toPrecision(3)}`,
    }),
    figure('first frame, p50', of(loupe, 'ttfe_p50'), 'ms', {
      against: `nginx ${of(nginx, 'ttfe_p50').toFixed(1)} ms`,
    }),
    figure('added to a frame, p50', of(loupe, 'lat_p50') - of(direct, 'lat_p50'), 'ms', {
      against: `nginx ${(of(nginx, 'lat_p50') - of(direct, 'lat_p50')).toFixed(1)} ms`,
      ...(is(1000, 20) ? { goal: '<= 15 ms' } : {}),
    }),
    figure('added to a frame, p99', of(loupe, 'lat_p99') - of(direct, 'lat_p99'), 'ms', {
      against: `nginx ${(of(nginx, 'lat_p99') - of(direct, 'lat_p99')).toFixed(1)} ms`,
      ...(is(1000, 20) ? { goal: '<= 100 ms' } : is(2000, 5) ? { goal: '<= 200 ms' } : {}),
    }),
    figure('CPU of a frame', of(loupe, 'cpu_us_per_event') / nginxCpu, 'times nginx', {
      against: `nginx ${nginxCpu.toFixed(0)} µs`,
      ...(is(1000, 20) ? { goal: '<= 3 times' } : {}),
    }),
    figure('memory of an open stream', of(loupe, 'kib_per_stream'), 'KiB', {
      ...(is(1000, 20) ? { goal: '<= 64 KiB' } : {}),
    }),
    figure('RSS at most', most('rss_peak_mib'), 'MiB', { ...(is(2000, 5) ? { goal: '<= 600 MiB' } : {}) }),
  ]
}

/** The list of 20 documents, asked for by 50 connections one after the other. */
async function lists(port: number, proxy: { port: number } | null): Promise<Figure[]> {
  const loupe = await new Loupe({ PLATFORM: 'off' }).start()
  try {
    const { cookie, pathOf } = await consoleOf(loupe, port)
    const path = await pathOf('knowledge')
    const rates: Record<string, number[]> = { nginx: [], loupe: [] }
    for (let round = 0; round < ROUNDS; round++) {
      if (proxy) rates.nginx?.push(await requests(`http://127.0.0.1:${proxy.port}/v1${LIST}`))
      rates.loupe?.push(await requests(loupe.url + path + LIST, { cookie }))
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

/** @returns answers a second. @throws where one of them is no 200. */
async function requests(url: string, headers: Record<string, string> = {}): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: ASKING.connections })
  const until = performance.now() + ASKING.seconds * 1000
  let count = 0
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
        response.resume().once('end', resolve)
      }).once('error', reject)
    })
  const asking = Array.from({ length: ASKING.connections }, async () => {
    for (; performance.now() < until; count++) await ask()
  })
  await Promise.all(asking)
  agent.destroy()
  return count / ASKING.seconds
}
