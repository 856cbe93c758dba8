import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallFilters } from '#contract/calls.ts'
import { type Database, open } from '../server/database/database.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { findCalls } from '../server/ledger/search.ts'
import { explained } from './explain.ts'
import { copyFilledLedger, type Filled, RARE } from './ledger-store.ts'
import type { Figure } from './figure.ts'

const SIZES = [20_000, 200_000]
const FRAMES_OF_A_CALL = 10
const TIMES = 60
const PAGE = 100
const GOAL = '< 150 ms'

/** A ledger of 20,000 and of 200,000 calls on the embedded database: what a page of it takes, p99, and by how much it grows. */
export async function ledger(): Promise<Figure[]> {
  const measured: Map<string, number>[] = []
  const figures: Figure[] = []
  for (const calls of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
    const filled = await copyFilledLedger(folder, calls, calls * FRAMES_OF_A_CALL)
    const database = await open({ folder })
    try {
      const taken = await measure(database, filled)
      const smaller = measured.at(-1)
      for (const [what, value] of taken) {
        const before = smaller?.get(what)
        figures.push({
          bench: 'ledger',
          what: `${calls.toLocaleString('en')} calls: ${what}, p99`,
          value,
          unit: 'ms',
          goal: GOAL,
          ...(before ? { against: `${(value / before).toFixed(1)} times that of the smaller` } : {}),
        })
      }
      measured.push(taken)
      figures.push({
        bench: 'ledger',
        what: `${calls.toLocaleString('en')} calls: statements that read the table from end to end`,
        value: await sequential(database, filled),
        unit: '',
        goal: '0',
      })
    } finally {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return figures
}

const pathsOf = ({ workspace, key, person }: Filled): [string, CallFilters][] => [
  ['first page', { workspace }],
  ['page of a rare state', { workspace, status: 'failed' }],
  ['page of an app, a person and a state', { workspace, key, person, status: 'succeeded' }],
  ['search for a rare Chinese phrase', { workspace, q: RARE }],
  ['search for two Chinese signs, one page of looking', { workspace, q: RARE.slice(1, 3) }],
  ['search for an error text', { workspace, q: 'Server Unavailable' }],
  ['search for a word in most calls', { workspace, q: 'guce' }],
  ['search for a phrase of common words, one page of looking', { workspace, q: 'cece wice' }],
]

/** What one request for a page does: finds the calls, and reads those that it shows. */
async function measure(database: Database, filled: Filled): Promise<Map<string, number>> {
  const ledger = new Ledger(database.pool)
  const taken = new Map<string, number>()
  for (const [what, filters] of pathsOf(filled)) {
    const times: number[] = []
    // The first one reads the pages of the index from the disk.
    for (let time = -3; time < TIMES; time++) {
      const began = performance.now()
      await ledger.listed((await findCalls(database, filters, { limit: PAGE })).ids)
      if (time >= 0) times.push(performance.now() - began)
    }
    taken.set(what, p99(times))
  }
  return taken
}

async function sequential(database: Database, filled: Filled): Promise<number> {
  const { heard, plans } = explained(database)
  for (const [, filters] of pathsOf(filled)) await findCalls(heard, filters, { limit: PAGE })
  return plans.filter((plan) => plan.includes('Seq Scan on calls')).length
}

function p99(times: number[]): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}
