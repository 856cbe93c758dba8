import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, open } from '../server/database/database.ts'
import { programs } from '../e2e/programs.ts'
import { startPostgresql } from '../server/database/postgresql.testing.ts'
import { explained, sequential } from './explain.ts'
import type { Figure } from './figure.ts'
import { pathsOf } from './ledger-paths.ts'
import { copyFilledLedger, fillLedger, type Filled } from './ledger-store.ts'
import { writing } from './ledger-writing.ts'

const SIZES = [20_000, 200_000]
const FRAMES_OF_A_CALL = 10
const TIMES = 60
const WARM = 3

/**
 * What a page, a search and the home page take on a ledger of 20,000 and of 200,000 calls, ten frames each, p99 on the
 * embedded database and on this machine's PostgreSQL; by how much they grow, and what writing it
 * costs the relay. `--part pglite`, `postgres` or `writing` measures one of these alone.
 */
export async function ledger(): Promise<Figure[]> {
  const { part } = parseArgs({ allowPositionals: true, options: { part: { type: 'string' } } }).values
  const wanted = PARTS.filter((name) => part === undefined || name === part)
  if (wanted.length === 0) throw new Error(`The parts of this bench are ${PARTS.join(', ')}.`)
  const figures: Figure[] = []
  for (const name of wanted) figures.push(...(await partOf(name)))
  return figures
}

const PARTS = ['pglite', 'postgres', 'writing'] as const

function partOf(name: (typeof PARTS)[number]): Promise<Figure[]> {
  if (name === 'writing') return writing()
  if (name === 'pglite') return measured('PGlite', withEmbedded)
  return programs.postgresql.find() ? measured('PostgreSQL', withServer) : Promise.resolve([])
}

type With = <Result>(calls: number, work: (database: Database, filled: Filled) => Promise<Result>) => Promise<Result>

async function withEmbedded<Result>(calls: number, work: (database: Database, filled: Filled) => Promise<Result>) {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
  const filled = await copyFilledLedger(folder, calls, calls * FRAMES_OF_A_CALL)
  const database = await open({ folder })
  try {
    return await work(database, filled)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withServer<Result>(calls: number, work: (database: Database, filled: Filled) => Promise<Result>) {
  const server = await startPostgresql()
  const database = await open({ url: server.url, folder: '' })
  try {
    return await work(database, await fillLedger(database, calls, calls * FRAMES_OF_A_CALL))
  } finally {
    await database.close()
    await server.stop()
  }
}

async function measured(where: string, within: With): Promise<Figure[]> {
  const figures: Figure[] = []
  let smaller = new Map<string, number>()
  for (const calls of SIZES) {
    const { taken, read } = await within(calls, async (database, filled) => ({
      taken: await measure(database, filled),
      read: await readWhole(database, filled),
    }))
    const size = `${where}, ${calls.toLocaleString('en')} calls`
    for (const [what, { p99, goal }] of taken) {
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
    smaller = new Map([...taken].map(([what, { p99 }]) => [what, p99]))
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

async function measure(database: Database, filled: Filled): Promise<Map<string, { p99: number; goal: number }>> {
  const taken = new Map<string, { p99: number; goal: number }>()
  for (const { what, goal, ask } of pathsOf(filled)) {
    const times: number[] = []
    // The first ones read the pages of the index from the disk.
    for (let time = -WARM; time < TIMES; time++) {
      const began = performance.now()
      await ask(database)
      if (time >= 0) times.push(performance.now() - began)
    }
    taken.set(what, { p99: quantile(times, 0.99), goal })
  }
  return taken
}

async function readWhole(database: Database, filled: Filled): Promise<string[]> {
  const { heard, plans } = explained(database)
  for (const { ask } of pathsOf(filled)) await ask(heard)
  return sequential(plans)
}

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * part) - 1] ?? 0
}
