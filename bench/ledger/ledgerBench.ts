import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { programs } from '#support/programs.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { withRecordedPlans, findSequentialScans } from './explainPlans.ts'
import { selectParts } from '../benchOptions.ts'
import type { Figure } from '../figure.ts'
import { listLedgerQueries } from './ledgerQueries.ts'
import { copyFilledLedger, fillLedger, type FilledLedger } from './filledLedger.ts'
import { runLedgerWriteBench } from './ledgerWriteBench.ts'

const CALL_COUNTS = [20_000, 200_000]
const FRAMES_PER_CALL = 10
const MEASURED_REPETITIONS = 60
const WARM_UP_REPETITIONS = 3

/**
 * What a page, a search and the home page take on a ledger of 20,000 and of 200,000 calls, ten frames each, p99 on the
 * embedded database and on this machine's PostgreSQL; by how much they grow, and what writing it
 * costs the relay. `--part pglite`, `postgres` or `writing` measures one of these alone.
 */
export async function runLedgerBench(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of selectParts(PARTS)) figures.push(...(await runPart(name)))
  return figures
}

const PARTS = ['pglite', 'postgres', 'writing'] as const

function runPart(name: (typeof PARTS)[number]): Promise<Figure[]> {
  if (name === 'writing') return runLedgerWriteBench()
  if (name === 'pglite') return measureSizes('PGlite', withEmbedded)
  return programs.postgresql.find() ? measureSizes('PostgreSQL', withServer) : Promise.resolve([])
}

type WithDatabase = <Result>(
  calls: number,
  work: (database: Database, filled: FilledLedger) => Promise<Result>,
) => Promise<Result>

async function withEmbedded<Result>(
  calls: number,
  work: (database: Database, filled: FilledLedger) => Promise<Result>,
) {
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

async function withServer<Result>(calls: number, work: (database: Database, filled: FilledLedger) => Promise<Result>) {
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
  let smaller = new Map<string, number>()
  for (const calls of CALL_COUNTS) {
    const { taken: results, read } = await within(calls, async (database, filled) => ({
      taken: await measureQueries(database, filled),
      read: await findFullScans(database, filled),
    }))
    const size = `${where}, ${calls.toLocaleString('en')} calls`
    for (const [what, { p99, goal }] of results) {
      const before = smaller.get(what)
      figures.push({
        bench: 'ledger',
        what: `${size}: ${what}, p99`,
        value: p99,
        unit: 'ms',
        goal: `< ${goal} ms`,
        ...(before ? { against: `${(p99 / before).toFixed(1)} times that of the smaller` } : {}),
      })
    }
    smaller = new Map([...results].map(([what, { p99 }]) => [what, p99]))
    for (const plan of read) console.error(plan)
    figures.push({
      bench: 'ledger',
      what: `${size}: statements that read a table from end to end`,
      value: read.length,
      unit: '',
      goal: '0',
    })
  }
  return figures
}

async function measureQueries(
  database: Database,
  filled: FilledLedger,
): Promise<Map<string, { p99: number; goal: number }>> {
  const results = new Map<string, { p99: number; goal: number }>()
  for (const { metric, goal, run } of listLedgerQueries(filled)) {
    const times: number[] = []
    // The first ones read the pages of the index from the disk.
    for (let time = -WARM_UP_REPETITIONS; time < MEASURED_REPETITIONS; time++) {
      const began = performance.now()
      await run(database)
      if (time >= 0) times.push(performance.now() - began)
    }
    results.set(metric, { p99: quantile(times, 0.99), goal })
  }
  return results
}

async function findFullScans(database: Database, filled: FilledLedger): Promise<string[]> {
  const { heard, plans } = withRecordedPlans(database)
  for (const { run } of listLedgerQueries(filled)) await run(heard)
  return findSequentialScans(plans)
}

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * part) - 1] ?? 0
}
