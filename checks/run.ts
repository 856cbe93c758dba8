import { runStages } from './stages/stageReport.ts'
import { parallel, stages } from './stages/stages.ts'

/**
 * `node checks/run.ts types lint format imports unit e2e`: exits 1 when anything failed, or nothing was named. With `--slowest`
 * each stage of tests names the files that took longest.
 */
const SLOWEST_OPTION = '--slowest'
const stageNames = process.argv.slice(2).filter((argument) => argument !== SLOWEST_OPTION)
const ok = await runStages(stageNames, stages, console.log, {
  parallel,
  showsSlowest: process.argv.includes(SLOWEST_OPTION),
})
process.exitCode = ok && stageNames.length > 0 ? 0 : 1
