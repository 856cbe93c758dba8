import { parseArgs } from 'node:util'
import type { Figure } from '../figure.ts'
import { runExperimentKillBench, runExperimentRunBench } from './experimentRun.ts'
import { runPlantedFaults } from './plantedFaults.ts'
import { runPredictionBench } from './prediction.ts'
import { runSweepBench } from './sweep.ts'

const PARTS: Record<string, () => Promise<Figure[]>> = {
  faults: runPlantedFaults,
  experiment: runExperimentRunBench,
  kill: runExperimentKillBench,
  prediction: runPredictionBench,
  sweep: runSweepBench,
}

/** Suites, experiments and comparisons. `--part NAME` measures one part alone. */
export async function runSuitesBench(): Promise<Figure[]> {
  const { part } = parseArgs({ allowPositionals: true, options: { part: { type: 'string' } } }).values
  const wanted = Object.entries(PARTS).filter(([name]) => part === undefined || name === part)
  if (wanted.length === 0) throw new Error(`The parts of this bench are ${Object.keys(PARTS).join(', ')}.`)
  const figures: Figure[] = []
  for (const [, run] of wanted) figures.push(...(await run()))
  return figures
}
