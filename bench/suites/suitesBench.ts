import { selectParts } from '../benchOptions.ts'
import type { Figure } from '../figure.ts'
import { runExperimentKillBench, runExperimentRunBench } from './experimentRun.ts'
import { runPlantedFaults } from './plantedFaults.ts'
import { runPredictionBench } from './prediction.ts'
import { runSweepBench } from './sweep.ts'

const PARTS = {
  faults: runPlantedFaults,
  experiment: runExperimentRunBench,
  kill: runExperimentKillBench,
  prediction: runPredictionBench,
  sweep: runSweepBench,
}

/** Suites, experiments and comparisons. `--part NAME` measures one part alone. */
export async function runSuitesBench(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of selectParts(Object.keys(PARTS) as (keyof typeof PARTS)[])) figures.push(...(await PARTS[name]()))
  return figures
}
