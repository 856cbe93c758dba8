import { runStages } from './stages/stageReport.ts'
import { parallel, stages } from './stages/stages.ts'

/** `node checks/run.ts types lint format imports unit e2e`: exits 1 when anything failed, or nothing was named. */
const stageNames = process.argv.slice(2)
const ok = await runStages(stageNames, stages, console.log, parallel)
process.exitCode = ok && stageNames.length > 0 ? 0 : 1
