import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { programs } from '../e2e/programs.ts'
import { startPostgresql } from '../server/database/postgresql.testing.ts'
import { FLAGS } from '../server/flags.mjs'
import type { Figure } from './figure.ts'
import { freePort, load, loupeTarget, median, startUpstream } from './relay.ts'

/** 40 streams of 300 frames, 50 frames a second each: 2,000 a second for six seconds. */
const LOAD = ['--concurrency', '40', '--n', '300', '--rate', '50', '--ramp', '500']
const SECONDS = 6
const ROUNDS = 7

/**
 * What the ledger costs the relay at 2,000 frames a second: the CPU of a console's thread that keeps every frame against
 * that of the same console whose frames are dropped at the door of the ledger. Both are there, and asked in turn. What the
 * database itself takes is told apart where its thread is the console's.
 */
export async function writing(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  try {
    const figures = await against('PGlite', port, () => Promise.resolve(null))
    if (programs.postgresql.find()) figures.push(...(await against('PostgreSQL', port, startPostgresql)))
    return figures
  } finally {
    upstream.kill()
  }
}

type Server = Awaited<ReturnType<typeof startPostgresql>>

async function against(where: string, port: number, serve: () => Promise<Server | null>): Promise<Figure[]> {
  const kept = await Relay.start('kept', port, serve)
  const dropped = await Relay.start('dropped', port, serve)
  try {
    for (let round = 0; round < ROUNDS; round++) for (const relay of [kept, dropped]) await relay.carry()
  } finally {
    await kept.stop()
    await dropped.stop()
  }
  const share = (seconds: number) => `${Math.round((100 * seconds) / SECONDS)} % of a core`
  const [with_it, without] = [median(kept.own), median(dropped.own)]
  const figures: Figure[] = [
    {
      bench: 'ledger',
      what: `2,000 frames a second, ${where}: what keeping them adds to the relay's CPU`,
      value: 100 * (median(kept.own.map((seconds, round) => seconds / (dropped.own[round] ?? 1))) - 1),
      unit: '%',
      against: `${share(with_it)}, without ${share(without)}`,
      goal: '< 10 %',
    },
  ]
  if (where === 'PGlite')
    figures.push({
      bench: 'ledger',
      what: `2,000 frames a second, ${where}: what the database takes of a core`,
      value: (100 * median(kept.others)) / SECONDS,
      unit: '%',
      against: `${Math.round((100 * median(dropped.others)) / SECONDS)} % where they are dropped`,
    })
  return figures
}

/** A console in a process of its own, with what each round took of its thread and of the others. */
class Relay {
  readonly own: number[] = []
  readonly others: number[] = []
  readonly #child: ChildProcess
  readonly #target: string[]
  readonly #server: Server | null

  constructor(child: ChildProcess, target: string[], server: Server | null) {
    this.#child = child
    this.#target = target
    this.#server = server
  }

  static async start(how: 'kept' | 'dropped', port: number, serve: () => Promise<Server | null>): Promise<Relay> {
    const server = await serve()
    const given = server ? [how, server.url] : [how]
    const child = fork('bench/ledger-relay.ts', given, {
      execArgv: FLAGS,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const [printed] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const relay = new Relay(child, await loupeTarget({ url: printed.toString().trim() }, port), server)
    // What is compiled while it runs counts for neither.
    await load([...relay.#target, ...LOAD])
    return relay
  }

  async carry(): Promise<void> {
    await this.#taken()
    await load([...this.#target, ...LOAD])
    const { own, all } = await this.#taken()
    this.own.push(own)
    this.others.push(all - own)
  }

  /** The CPU that the process has taken since it was asked last. */
  async #taken(): Promise<{ own: number; all: number }> {
    this.#child.send('cpu')
    const [taken] = (await once(this.#child, 'message')) as [{ own: number; all: number }]
    return taken
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
    await this.#server?.stop()
  }
}
