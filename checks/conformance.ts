import { parseArgs } from 'node:util'
import { runConformance } from './conformance/runConformance.ts'

/**
 * `npm run conformance -- --base http://127.0.0.1:8788/v1 --knowledge KEY --chat KEY --completion KEY --workflow KEY`:
 * calls all operations of the interface on a platform and says, a line each, what is as documented and what is not.
 */
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    knowledge: { type: 'string' },
    chat: { type: 'string' },
    completion: { type: 'string' },
    workflow: { type: 'string' },
  },
})
const { base, knowledge, chat, completion, workflow } = values
if (!base || !knowledge || !chat || !completion || !workflow) {
  console.error('Give --base and one key each: --knowledge, --chat, --completion, --workflow.')
  process.exit(2)
}

const platformUnderTest = { base: base.replace(/\/+$/, ''), keys: { knowledge, chat, completion, workflow } }
const outcomes = await runConformance(platformUnderTest, ({ name, problem }) =>
  console.log(problem === null ? `ok    ${name}` : `FAIL  ${name}\n      ${problem}`),
)
const failed = outcomes.filter(({ problem }) => problem !== null).length
console.log(`${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
