import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { parseArgs } from 'node:util'
import { runChunkLabBench } from './chunkLabBench.ts'
import type { BenchOptions, Figure } from './figures.ts'
import { runLedgerBench } from './ledger/ledgerBench.ts'
import { runLongRunBench } from './longRunBench.ts'
import { comparePages, runPageBench } from './pageBench.ts'
import { formatValue, mergeRecords, readRecords, writeReport } from './performanceReport.ts'
import { runPlatformBench } from './platform/platformBench.ts'
import { runRenderBench } from './render/renderBench.ts'
import { runRetrievalBench } from './retrieval/retrievalBench.ts'
import { runStreamsBench } from './streams/streamsBench.ts'

/**
 * `npm run bench -- NAME…` measures these benches, or all, and writes their figures to docs/performance.json. With an option a
 * bench measures a part of itself, which is printed and not recorded. `--report` writes docs/performance.md again.
 */
const { positionals: names, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string' },
    rounds: { type: 'string' },
    streams: { type: 'string' },
    collections: { type: 'string' },
    only: { type: 'string', multiple: true },
    /** Only prints: figures of a run with an option are not recorded. */
    quality: { type: 'boolean' },
    against: { type: 'string' },
    report: { type: 'boolean' },
  },
})

const BENCHES: Record<string, (options: BenchOptions) => Promise<Figure[]>> = {
  streams: runStreamsBench,
  page: ({ against }) => (against === undefined ? runPageBench() : comparePages(against)),
  render: runRenderBench,
  open: runLongRunBench,
  lab: runChunkLabBench,
  ledger: runLedgerBench,
  platform: runPlatformBench,
  retrieval: runRetrievalBench,
}

const unknownName = names.find((name) => !Object.hasOwn(BENCHES, name))
if (unknownName !== undefined)
  throw new Error(`There is no bench ${unknownName}. There are ${Object.keys(BENCHES).join(', ')}.`)
if (options.report) await writeReport(readRecords())
else await measure()

async function measure(): Promise<void> {
  // Benches start the server without `npm start`, which builds the app.
  execFileSync(process.execPath, ['server/browserApp/buildCommand.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const figures: (Figure & { bench: string })[] = []
  for (const [bench, run] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(bench)) continue
    console.error(`bench ${bench} ...`)
    try {
      figures.push(...(await run(options)).map((figure) => ({ bench, ...figure })))
    } catch (error) {
      // The results of the other benches are preserved.
      console.error(`bench ${bench} failed:`, error)
      process.exitCode = 1
    }
  }
  console.log(`node ${process.version}, ${cpus().length} cores, kernel ${release()}`)
  console.table(
    figures.map(({ value, unit, against = '', goal = '', ...name }) => ({
      ...name,
      value: `${formatValue(value)} ${unit}`.trim(),
      against,
      goal,
    })),
  )
  writeFileSync('bench/results.json', `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`)
  if (figures.length === 0 || Object.keys(options).length > 0) return
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  await writeReport(mergeRecords(readRecords(), figures, { date, commit, node: process.version, cores: cpus().length }))
}
