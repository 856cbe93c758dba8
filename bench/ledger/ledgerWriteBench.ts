import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { programs } from '#support/programs.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { FLAGS } from '../../server/flags.mjs'
import type { Figure } from '../figure.ts'
import { freePort, runLoad, toLoupeTarget, median, startUpstream } from '../relayBench.ts'

/** 40 streams of 300 frames, 50 frames a second each: 2,000 a second for six seconds. */
const LOAD_ARGS = ['--concurrency', '40', '--n', '300', '--rate', '50', '--ramp', '500']
const LOAD_SECONDS = 6
const ROUND_COUNT = 7

/**
 * What the ledger costs the relay at 2,000 frames a second: the CPU of a console's thread that keeps every frame against
 * that of the same console whose frames are dropped at the door of the ledger. Both are there, and asked in turn. What the
 * database itself takes is told apart where its thread is the console's.
 */
export async function runLedgerWriteBench(): Promise<Figure[]> {
  const port = await freePort()
  const upstream = await startUpstream(port)
  try {
    const figureList = await compareWith('PGlite', port, () => Promise.resolve(null))
    if (programs.postgresql.find()) figureList.push(...(await compareWith('PostgreSQL', port, startPostgresql)))
    return figureList
  } finally {
    upstream.kill()
  }
}

type PostgresqlServer = Awaited<ReturnType<typeof startPostgresql>>

async function compareWith(
  where: string,
  port: number,
  serve: () => Promise<PostgresqlServer | null>,
): Promise<Figure[]> {
  const kept = await ConsoleProcess.start('kept', port, serve)
  const dropped = await ConsoleProcess.start('dropped', port, serve)
  try {
    for (let round = 0; round < ROUND_COUNT; round++) for (const relay of [kept, dropped]) await relay.runLoad()
  } finally {
    await kept.stop()
    await dropped.stop()
  }
  const share = (seconds: number) => `${Math.round((100 * seconds) / LOAD_SECONDS)} % of a core`
  const [with_it, without] = [median(kept.mainThreadCpuSeconds), median(dropped.mainThreadCpuSeconds)]
  const figures: Figure[] = [
    {
      bench: 'ledger',
      what: `2,000 frames a second, ${where}: what keeping them adds to the relay's CPU`,
      value:
        100 *
        (median(
          kept.mainThreadCpuSeconds.map((seconds, round) => seconds / (dropped.mainThreadCpuSeconds[round] ?? 1)),
        ) -
          1),
      unit: '%',
      against: `${share(with_it)}, without ${share(without)}`,
      goal: '< 10 %',
    },
  ]
  if (where === 'PGlite')
    figures.push({
      bench: 'ledger',
      what: `2,000 frames a second, ${where}: what the database takes of a core`,
      value: (100 * median(kept.otherCpuSeconds)) / LOAD_SECONDS,
      unit: '%',
      against: `${Math.round((100 * median(dropped.otherCpuSeconds)) / LOAD_SECONDS)} % where they are dropped`,
    })
  return figures
}

/** A console in a process of its own, with the CPU time of its thread and of the others in each round. */
class ConsoleProcess {
  readonly mainThreadCpuSeconds: number[] = []
  readonly otherCpuSeconds: number[] = []
  readonly #child: ChildProcess
  readonly #target: string[]
  readonly #server: PostgresqlServer | null

  constructor(child: ChildProcess, target: string[], server: PostgresqlServer | null) {
    this.#child = child
    this.#target = target
    this.#server = server
  }

  static async start(
    frameMode: 'kept' | 'dropped',
    port: number,
    serve: () => Promise<PostgresqlServer | null>,
  ): Promise<ConsoleProcess> {
    const server = await serve()
    const given = server ? [frameMode, server.url] : [frameMode]
    const child = fork('bench/ledger/ledgerConsole.ts', given, {
      execArgv: FLAGS,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const [printed] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const relay = new ConsoleProcess(child, await toLoupeTarget({ url: printed.toString().trim() }, port), server)
    // What is compiled while it runs counts for neither.
    await runLoad([...relay.#target, ...LOAD_ARGS])
    return relay
  }

  async runLoad(): Promise<void> {
    await this.#readCpuSeconds()
    await runLoad([...this.#target, ...LOAD_ARGS])
    const { own, all } = await this.#readCpuSeconds()
    this.mainThreadCpuSeconds.push(own)
    this.otherCpuSeconds.push(all - own)
  }

  /** CPU time of the process since the last call. */
  async #readCpuSeconds(): Promise<{ own: number; all: number }> {
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
