import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { batch } from './batch.ts'
import type { Figure } from './figure.ts'
import { lab } from './lab.ts'
import { ledger } from './ledger.ts'
import { lists } from './lists.ts'
import { open } from './open.ts'
import { page } from './page.ts'
import { mergeRecords, readRecords, writeReport } from './performanceReport.ts'
import { platform } from './platform.ts'
import { render } from './render.ts'
import { relay } from './relay.ts'
import { streams } from './streams.ts'
import { start } from './start.ts'
import { workflow } from './workflow.ts'

const BENCHES = { start, relay, streams, page, render, open, workflow, lists, lab, batch, ledger, platform }

const wanted = process.argv.slice(2)
const figures: Figure[] = []
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.error(`bench ${name} ...`)
  try {
    figures.push(...(await bench()))
  } catch (error) {
    // What the others measured is not lost for it.
    console.error(`bench ${name} failed:`, error)
    process.exitCode = 1
  }
}

console.log(`node ${process.version}, ${cpus().length} cores, kernel ${release()}`)
console.table(
  figures.map(({ bench, what, value, unit, against = '', goal = '' }) => ({
    bench,
    what,
    value: `${round(value)} ${unit}`,
    against,
    goal,
  })),
)
mkdirSync('bench', { recursive: true })
writeFileSync('bench/results.json', `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`)
// With an option a bench measures a part of itself: those figures would replace the complete ones.
if (figures.length > 0 && !wanted.some((argument) => argument.startsWith('--')))
  await writeReport(
    mergeRecords(readRecords(), figures, {
      date: new Date().toISOString().slice(0, 10),
      commit: execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { encoding: 'utf8' }).trim(),
      node: process.version,
      cores: cpus().length,
    }),
  )

function round(value: number): number {
  return Number(value.toPrecision(3))
}
