import { runStages } from './report.ts'
import { parallel, stages } from './stages.ts'

/** `node checks/run.ts types lint format imports unit e2e`: exits 1 when anything failed, or nothing was named. */
const names = process.argv.slice(2)
const ok = await runStages(names, stages, console.log, parallel)
process.exitCode = ok && names.length > 0 ? 0 : 1
