import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from '#support/programs.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { type BenchOptions, type Figure, percentile, toFigure } from '../figures.ts'
import { findSequentialScans, withRecordedPlans } from './explainPlans.ts'
import { copyFilledLedger, type FilledLedger, fillLedger } from './filledLedger.ts'
import { listLedgerQueries } from './ledgerQueries.ts'
import { runLedgerWriteBench } from './ledgerWriteBench.ts'

const CALL_COUNTS = [20_000, 200_000]
const FRAMES_PER_CALL = 10
const MEASURED_REPETITIONS = 60
const WARM_UP_REPETITIONS = 3

const PARTS: Record<string, () => Promise<Figure[]>> = {
  pglite: () => measureSizes('PGlite', withEmbedded),
  postgres: () => (programs.postgresql.find() ? measureSizes('PostgreSQL', withServer) : Promise.resolve([])),
  writing: runLedgerWriteBench,
}

/**
 * What a page, a search and the home page take on a ledger of 20,000 and of 200,000 calls, ten frames each, p99 on the
 * embedded database and on this machine's PostgreSQL; by how much they grow, and what writing it costs the relay.
 */
export async function runLedgerBench({ part }: BenchOptions): Promise<Figure[]> {
  const names = Object.keys(PARTS).filter((name) => part === undefined || name === part)
  if (names.length === 0) throw new Error(`The parts of this bench are ${Object.keys(PARTS).join(', ')}.`)
  const figures: Figure[] = []
  for (const name of names) figures.push(...((await PARTS[name]?.()) ?? []))
  return figures
}

type Work<Result> = (database: Database, filled: FilledLedger) => Promise<Result>
type WithDatabase = <Result>(calls: number, work: Work<Result>) => Promise<Result>

async function withEmbedded<Result>(calls: number, work: Work<Result>) {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
  const filled = await copyFilledLedger(folder, calls, calls * FRAMES_PER_CALL)
  const database = await openDatabase({ folder })
  try {
    return await work(database, filled)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withServer<Result>(calls: number, work: Work<Result>) {
  const server = await startPostgresql()
  const database = await openDatabase({ url: server.url, folder: '' })
  try {
    return await work(database, await fillLedger(database, calls, calls * FRAMES_PER_CALL))
  } finally {
    await database.close()
    await server.stop()
  }
}

async function measureSizes(where: string, within: WithDatabase): Promise<Figure[]> {
  const figures: Figure[] = []
  const smaller = new Map<string, number>()
  for (const calls of CALL_COUNTS) {
    const size = `${where}, ${calls.toLocaleString('en')} calls`
    await within(calls, async (database, filled) => {
      for (const { metric, goal, run } of listLedgerQueries(filled)) {
        const p99 = await measureP99(() => run(database))
        const before = smaller.get(metric)
        const against = before && `${(p99 / before).toFixed(1)} times that of the smaller`
        figures.push(
          toFigure(`${size}: ${metric}, p99`, p99, 'ms', { goal: `< ${goal} ms`, against: against || undefined }),
        )
        smaller.set(metric, p99)
      }
      const { heard, plans } = withRecordedPlans(database)
      for (const { run } of listLedgerQueries(filled)) await run(heard)
      const scans = findSequentialScans(plans)
      for (const plan of scans) console.error(plan)
      figures.push(toFigure(`${size}: statements that read a table from end to end`, scans.length, '', { goal: '0' }))
    })
  }
  return figures
}

async function measureP99(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  // The first ones read the pages of the index from the disk.
  for (let time = -WARM_UP_REPETITIONS; time < MEASURED_REPETITIONS; time++) {
    const began = performance.now()
    await run()
    if (time >= 0) times.push(performance.now() - began)
  }
  return percentile(times, 99)
}
