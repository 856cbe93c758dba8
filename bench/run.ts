import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { runBatchBench } from './batchBench.ts'
import { readBenchOptions } from './benchOptions.ts'
import type { Figure } from './figure.ts'
import { runFramesOfStreamBench } from './framesOfStreamBench.ts'
import { runFrameStorageBench } from './frameStorageBench.ts'
import { runChunkLabBench } from './chunkLabBench.ts'
import { runCallWriteBench } from './ledger/callWriteBench.ts'
import { runLedgerBench } from './ledger/ledgerBench.ts'
import { runDocumentListBench } from './documentListBench.ts'
import { runLongRunBench } from './longRunBench.ts'
import { runPageBench } from './pageBench.ts'
import { mergeRecords, readRecords, writeReport } from './performanceReport.ts'
import { runPlatformBench } from './platform/platformBench.ts'
import { runRenderBench } from './renderBench.ts'
import { runRelayBench } from './relayBench.ts'
import { runRetrievalBench } from './retrieval/retrievalBench.ts'
import { runSuitesBench } from './suites/suitesBench.ts'
import { runStreamsBench } from './streamsBench.ts'
import { runStartBench } from './startBench.ts'
import { runWaitsBench } from './waits/waitsBench.ts'
import { runWorkflowBench } from './workflowBench.ts'

const BENCHES = {
  start: runStartBench,
  relay: runRelayBench,
  streams: runStreamsBench,
  frame: runFramesOfStreamBench,
  frames: runFrameStorageBench,
  page: runPageBench,
  render: runRenderBench,
  open: runLongRunBench,
  workflow: runWorkflowBench,
  lists: runDocumentListBench,
  lab: runChunkLabBench,
  batch: runBatchBench,
  calls: runCallWriteBench,
  ledger: runLedgerBench,
  platform: runPlatformBench,
  retrieval: runRetrievalBench,
  suites: runSuitesBench,
  waits: runWaitsBench,
}

const { names: requestedNames, ...options } = readBenchOptions()
const unknownName = requestedNames.find((name) => !Object.hasOwn(BENCHES, name))
if (unknownName !== undefined) {
  console.error(`There is no bench ${unknownName}. There are ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
// Benches start the server without `npm start`, which builds the app.
execFileSync(process.execPath, ['server/browserApp/buildCommand.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
const figures: Figure[] = []
for (const [name, bench] of Object.entries(BENCHES)) {
  if (requestedNames.length > 0 && !requestedNames.includes(name)) continue
  console.error(`bench ${name} ...`)
  try {
    figures.push(...(await bench()))
  } catch (error) {
    // The results of the other benches are preserved.
    console.error(`bench ${name} failed:`, error)
    process.exitCode = 1
  }
}

console.log(`node ${process.version}, ${cpus().length} cores, kernel ${release()}`)
console.table(
  figures.map(({ bench, what, value, unit, against = '', goal = '' }) => ({
    bench,
    what,
    value: `${round(value)} ${unit}`.trim(),
    against,
    goal,
  })),
)
mkdirSync('bench', { recursive: true })
writeFileSync('bench/results.json', `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`)
// With an option a bench measures a part of itself: those figures would replace the complete ones.
if (figures.length > 0 && Object.keys(options).length === 0)
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
