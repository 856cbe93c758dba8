import { fork } from 'node:child_process'
import { once } from 'node:events'
import { programs } from '#support/programs.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { FLAGS } from '../../server/flags.mjs'
import { type Figure, median, toFigure } from '../figures.ts'
import { addBenchKey, runLoad, startUpstream } from '../streams/streamProcesses.ts'

/** 2,000 frames a second for six seconds. */
const LOAD = { streams: 40, frames: 300, framesPerSecond: 50 }
const LOAD_SECONDS = 6
const ROUND_COUNT = 7

interface CpuSeconds {
  /** Of the main thread, and of the process, which includes the embedded database's thread. */
  own: number
  all: number
}

/**
 * What the ledger costs the relay at 2,000 frames a second: the CPU of a console's thread that keeps every frame against
 * that of the same console whose frames are dropped before they are written. Both run, and are asked in turn.
 */
export async function runLedgerWriteBench(): Promise<Figure[]> {
  const upstream = await startUpstream()
  try {
    const figures = await compareConsoles('PGlite', upstream.url, () => Promise.resolve(null))
    if (!programs.postgresql.find()) return figures
    return [...figures, ...(await compareConsoles('PostgreSQL', upstream.url, startPostgresql))]
  } finally {
    upstream.stop()
  }
}

type ServePostgresql = () => Promise<Awaited<ReturnType<typeof startPostgresql>> | null>

async function compareConsoles(where: string, upstream: string, serve: ServePostgresql): Promise<Figure[]> {
  const kept = await startConsole('kept', upstream, serve)
  const dropped = await startConsole('dropped', upstream, serve)
  const rounds: { kept: CpuSeconds; dropped: CpuSeconds }[] = []
  try {
    for (let round = 0; round < ROUND_COUNT; round++)
      rounds.push({ kept: await kept.measureLoad(), dropped: await dropped.measureLoad() })
  } finally {
    await kept.stop()
    await dropped.stop()
  }
  const percent = (seconds: number[]) => (100 * median(seconds)) / LOAD_SECONDS
  const owns = [rounds.map((round) => round.kept.own), rounds.map((round) => round.dropped.own)]
  const [withFrames = 0, without = 0] = owns.map(percent)
  const ratio = median(rounds.map((round) => round.kept.own / round.dropped.own))
  const label = `2,000 frames a second, ${where}`
  const figures = [
    toFigure(`${label}: what keeping them adds to the relay's CPU`, 100 * (ratio - 1), '%', {
      against: `${Math.round(withFrames)} % of a core, without ${Math.round(without)} % of a core`,
      goal: '< 10 %',
    }),
  ]
  if (where !== 'PGlite') return figures
  const others = [
    rounds.map(({ kept: { own, all } }) => all - own),
    rounds.map(({ dropped: { own, all } }) => all - own),
  ]
  const [database = 0, idleDatabase = 0] = others.map(percent)
  const against = `${Math.round(idleDatabase)} % where they are dropped`
  return [...figures, toFigure(`${label}: what the database takes of a core`, database, '%', { against })]
}

/** A console in a process of its own, which has had a load before: what is compiled in it counts for no round. */
async function startConsole(frameMode: 'kept' | 'dropped', upstream: string, serve: ServePostgresql) {
  const postgresql = await serve()
  const child = fork('bench/ledger/ledgerConsole.ts', [frameMode, ...(postgresql ? [postgresql.url] : [])], {
    execArgv: FLAGS,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [printed] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const target = await addBenchKey({ url: printed.toString().trim() }, upstream, 'chat')
  await runLoad(target, LOAD)
  /** CPU time since the last call. */
  const readCpu = async (): Promise<CpuSeconds> => {
    child.send('cpu')
    return ((await once(child, 'message')) as [CpuSeconds])[0]
  }
  return {
    measureLoad: async () => {
      await readCpu()
      await runLoad(target, LOAD)
      return readCpu()
    },
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      await postgresql?.stop()
    },
  }
}
