import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { postgresqlPrograms, startPostgresql } from '../server/database/postgresql.testing.ts'
import type { Figure } from './figure.ts'
import { freePort, load, loupeTarget, median, startUpstream } from './relay.ts'

/** 40 streams of 300 frames, 50 frames a second each: 2,000 a second for six seconds. */
const LOAD = ['--concurrency', '40', '--n', '300', '--rate', '50', '--ramp', '500']
const SECONDS = 6
const ROUNDS = 3

/**
 * What the ledger costs the relay at 2,000 frames a second: the CPU of a console that keeps every frame against that of
 * the same console whose frames are dropped at the door of the database, in turn, the median of three rounds.
 */
export async function writing(): Promise<Figure[]> {
  const programs = postgresqlPrograms()
  const server = programs ? await startPostgresql(programs) : null
  const port = await freePort()
  const upstream = await startUpstream(port)
  try {
    const figures = await against('PGlite, its thread within the server', port)
    if (server) figures.push(...(await against('PostgreSQL, whose own CPU is not counted', port, server.url)))
    return figures
  } finally {
    upstream.kill()
    await server?.stop()
  }
}

async function against(where: string, port: number, url?: string): Promise<Figure[]> {
  const taken: Record<'kept' | 'dropped', number[]> = { kept: [], dropped: [] }
  for (const how of ['kept', 'dropped'] as const) {
    const given = url ? [how, url] : [how]
    const child = fork('bench/ledger-relay.ts', given, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    try {
      const [printed] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
      const target = await loupeTarget({ url: printed.toString().trim() }, port)
      await load([...target, '--concurrency', '5', '--n', '20', '--rate', '50'])
      for (let round = 0; round < ROUNDS; round++) {
        await secondsOf(child)
        await load([...target, ...LOAD])
        taken[how].push(await secondsOf(child))
      }
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  }
  const [kept, dropped] = [median(taken.kept), median(taken.dropped)]
  const share = (seconds: number) => `${Math.round((100 * seconds) / SECONDS)} % of a core`
  return [
    {
      bench: 'ledger',
      what: `2,000 frames a second, ${where}: what keeping them adds to the relay's CPU`,
      value: (100 * (kept - dropped)) / dropped,
      unit: '%',
      against: `${share(kept)}, without ${share(dropped)}`,
      goal: '< 10 %',
    },
  ]
}

/** The CPU that the process has taken since it was asked last. */
async function secondsOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ seconds }] = (await once(child, 'message')) as [{ seconds: number }]
  return seconds
}
