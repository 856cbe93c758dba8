import { Agent, get } from 'node:http'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { type BenchOptions, type Figure, median, toFigure } from '../figures.ts'
import type { LoadResult } from './load.ts'
import { addBenchKey, type LoadTarget, runLoad, startNginx, startUpstream } from './streamProcesses.ts'

/** So many streams open at once, each of so many frames, so many a second. */
interface StreamCase {
  streams: number
  framesPerSecond: number
  frames: number
  /** On a server that has had no stream before. */
  isCold: boolean
  goals: Partial<Record<'complete' | 'cpu' | 'firstFrame' | 'delayP50' | 'delayP99' | 'memory' | 'rss', string>>
}
const toCase = (
  streams: number,
  framesPerSecond: number,
  frames: number,
  goals: StreamCase['goals'] = {},
  isCold = false,
): StreamCase => ({ streams, framesPerSecond, frames, goals, isCold })

const MANY = {
  cpu: '<= 2.5 times',
  firstFrame: '<= 150 ms',
  delayP50: '<= 15 ms',
  delayP99: '<= 100 ms',
  memory: '<= 64 KiB',
}
const STREAM_CASES: StreamCase[] = [
  toCase(1, 20, 200),
  toCase(300, 20, 240, { cpu: '<= 3 times', firstFrame: '<= 100 ms' }, true),
  toCase(1000, 20, 240, MANY),
  toCase(2000, 5, 60, { complete: '2000', delayP99: '<= 200 ms', rss: '<= 600 MiB' }),
  toCase(2000, 20, 240, { complete: '2000' }),
]
const ROUND_COUNT = 3
const MIN_STREAMS_FOR_MEMORY = 100
const RAMP_MS_PER_STREAM = 2
const LIST_PATH = '/datasets/00000000-0000-4000-8000-000000000001/documents?limit=20'
const LIST_LOAD = { connections: 50, seconds: 4 }

type Rounds = Record<'direct' | 'nginx' | 'loupe', LoadResult[]>

/**
 * Many concurrent streams through Loupe, with each frame in the ledger before it is sent, against nginx (which stores
 * nothing) and the upstream alone. Of each case the median of its rounds; each uses a new Loupe process.
 */
export async function runStreamsBench({ rounds = String(ROUND_COUNT), streams }: BenchOptions): Promise<Figure[]> {
  const upstream = await startUpstream()
  const nginx = await startNginx(upstream.url)
  const direct: LoadTarget = { url: upstream.url, headers: {}, pid: null }
  try {
    const figures: Figure[] = []
    for (const one of STREAM_CASES.filter((one) => one.streams <= Number(streams ?? Infinity))) {
      const measured: Rounds = { direct: [], nginx: [], loupe: [] }
      const measure = async (name: keyof Rounds, target: LoadTarget) => {
        const result = await runLoad(target, { ...one, rampMs: one.streams * RAMP_MS_PER_STREAM })
        console.error(`  ${name} ${one.streams} at ${one.framesPerSecond}/s: ${JSON.stringify(result)}`)
        measured[name].push(result)
      }
      for (let round = 0; round < Number(rounds); round++) {
        await measure('direct', { ...direct, url: `${direct.url}/v1` })
        if (nginx) await measure('nginx', { ...nginx, url: `${nginx.url}/v1` })
        const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
        try {
          const target = await addBenchKey(loupe, upstream.url, 'chat')
          if (!one.isCold) await runLoad(target, { streams: 5, frames: 20, framesPerSecond: 50 })
          await measure('loupe', target)
        } finally {
          await loupe.remove()
        }
      }
      figures.push(...toFigures(one, measured))
    }
    return [...figures, await measureLists(upstream.url, nginx, Number(rounds))]
  } finally {
    upstream.stop()
    nginx?.stop()
  }
}

function toFigures(
  { streams, framesPerSecond, isCold, goals }: StreamCase,
  { direct, nginx, loupe }: Rounds,
): Figure[] {
  type Measure = Exclude<keyof LoadResult, 'errors'>
  const of = (rounds: LoadResult[], name: Measure) => median(rounds.map((round) => round[name]))
  const label = `${streams} at ${framesPerSecond}/s${isCold ? ', cold server' : ''}: `
  const figure = (what: string, value: number, unit: string, goal?: string, against?: string): Figure =>
    toFigure(label + what, value, unit, { goal, against })
  const toDelay = (name: 'delayP50' | 'delayP99') => {
    const [own, other] = [loupe, nginx].map((rounds) => of(rounds, name) - of(direct, name)) as [number, number]
    return figure(`added to a frame, p${name.slice(-2)}`, own, 'ms', goals[name], `nginx ${other.toFixed(1)} ms`)
  }
  const [cpu, speed] = [
    of(nginx, 'cpuPerFrame'),
    (rounds: LoadResult[]) => of(rounds, 'streamsPerSecond').toPrecision(3),
  ]
  const complete = Math.min(...loupe.map((round) => round.complete))
  const first = `nginx ${of(nginx, 'firstFrameP50').toFixed(1)} ms`
  const figures = [
    figure('complete streams', complete, `of ${streams}`, goals.complete),
    figure('streams a second', Number(speed(loupe)), '', undefined, `nginx ${speed(nginx)}, direct ${speed(direct)}`),
    figure('first frame, p50', of(loupe, 'firstFrameP50'), 'ms', goals.firstFrame, first),
    toDelay('delayP50'),
    toDelay('delayP99'),
    figure('CPU of a frame', of(loupe, 'cpuPerFrame') / cpu, 'times nginx', goals.cpu, `nginx ${cpu.toFixed(0)} µs`),
  ]
  // Of a few streams, the collections of garbage between two readings are larger.
  if (streams >= MIN_STREAMS_FOR_MEMORY)
    figures.push(figure('memory of an open stream', of(loupe, 'kibPerStream'), 'KiB', goals.memory))
  return [...figures, figure('RSS at most', Math.max(...loupe.map((round) => round.maxRssMib)), 'MiB', goals.rss)]
}

/** The list of 20 documents, requested sequentially by each of 50 connections. */
async function measureLists(upstream: string, nginx: LoadTarget | null, rounds: number): Promise<Figure> {
  const loupe = await new LoupeProcess({ PLATFORM: 'off' }).start()
  try {
    const target = await addBenchKey(loupe, upstream, 'knowledge')
    const [own, other]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      if (nginx) other.push(await countRequestsPerSecond(`${nginx.url}/v1${LIST_PATH}`))
      own.push(await countRequestsPerSecond(target.url + LIST_PATH, target.headers))
    }
    return toFigure('list of 20 documents: requests a second', median(own) / median(other), 'times nginx', {
      against: `nginx ${median(other).toFixed(0)}/s, Loupe ${median(own).toFixed(0)}/s`,
      goal: '>= 0.25 times',
    })
  } finally {
    await loupe.remove()
  }
}

/** @throws Error if a reply is not 200. */
async function countRequestsPerSecond(url: string, headers: Record<string, string> = {}): Promise<number> {
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
  const connections = Array.from({ length: LIST_LOAD.connections }, async () => {
    for (; performance.now() < until; count++) await ask()
  })
  await Promise.all(connections)
  agent.destroy()
  return count / LIST_LOAD.seconds
}
