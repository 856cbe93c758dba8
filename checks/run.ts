import { parseArgs } from 'node:util'
import { runStages } from './stages/stageReport.ts'
import { createStages, parallel } from './stages/stages.ts'

/**
 * `node checks/run.ts [--full] [--slowest] [--repeat N] STAGE… [FILE…]`: exits 1 when anything failed, or nothing was named.
 * `--full` takes the tests of `test:full` too; `--slowest` names the files that took longest; `--repeat` runs the stages N times.
 * Arguments with a slash are test files: `node checks/run.ts unit --repeat 20 server/drain.test.ts`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    slowest: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
  },
})
const files = positionals.filter((argument) => argument.includes('/'))
const named = positionals.filter((argument) => !argument.includes('/'))
const stageNames = Array.from({ length: Number(values.repeat) }, () => named).flat()
const ok = await runStages(stageNames, createStages({ isFull: values.full, files }), console.log, {
  parallel,
  showsSlowest: values.slowest,
})
process.exitCode = ok && stageNames.length > 0 ? 0 : 1
