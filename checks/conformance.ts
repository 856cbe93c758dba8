import { parseArgs } from 'node:util'
import { readRecordings } from '#support/recordings/recordings.ts'
import { judgeExchange } from './conformance/recordedExchange.ts'
import { runConformance } from './conformance/runConformance.ts'

/**
 * `npm run conformance -- --base http://127.0.0.1:8788/v1 --knowledge KEY --chat KEY --completion KEY --workflow KEY`:
 * calls all operations of the interface on a platform and says, a line each, what is as documented and what is not.
 * With `--form-workflow KEY` and `--form-chatflow KEY`, keys of applications whose graph has one form of texts and selects, it
 * also pauses, answers and continues their runs.
 * `npm run conformance -- --recordings DIR` reads the exchanges of `DIR/*.jsonl` instead, a line each: name, operation,
 * verdict.
 */
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    knowledge: { type: 'string' },
    chat: { type: 'string' },
    completion: { type: 'string' },
    workflow: { type: 'string' },
    'form-workflow': { type: 'string' },
    'form-chatflow': { type: 'string' },
    recordings: { type: 'string' },
  },
})
const { base, knowledge, chat, completion, workflow, recordings } = values

async function callPlatform(): Promise<{ passed: number; failed: number }> {
  if (!base || !knowledge || !chat || !completion || !workflow) {
    console.error('Give --base and one key each: --knowledge, --chat, --completion, --workflow; or --recordings DIR.')
    process.exit(2)
  }
  const platformUnderTest = { base: base.replace(/\/+$/, ''), keys: { knowledge, chat, completion, workflow } }
  const toHeader = (key: string | undefined) => (key ? { header: `Bearer ${key}` } : null)
  const outcomes = await runConformance(
    platformUnderTest,
    ({ name, problem }) => console.log(problem === null ? `ok    ${name}` : `FAIL  ${name}\n      ${problem}`),
    undefined,
    { workflow: toHeader(values['form-workflow']), chatflow: toHeader(values['form-chatflow']) },
  )
  const failed = outcomes.filter(({ problem }) => problem !== null).length
  return { passed: outcomes.length - failed, failed }
}

function readFolder(folder: string): { passed: number; failed: number } {
  const verdicts = readRecordings(folder).flatMap(({ name: file, exchanges }) =>
    exchanges.map((exchange) => {
      const verdict = judgeExchange(exchange)
      const { name, operation, summary, difference } = verdict
      const text = difference === null ? `ok: ${summary}` : `DIFFERS: ${difference}`
      console.log([file, name, operation, text.replace(/\s+/g, ' ')].join(' | '))
      return verdict
    }),
  )
  if (verdicts.length === 0) {
    console.error(`${folder} has no recordings (*.jsonl).`)
    process.exit(2)
  }
  const failed = verdicts.filter(({ difference }) => difference !== null).length
  return { passed: verdicts.length - failed, failed }
}

const { passed, failed } = recordings ? readFolder(recordings) : await callPlatform()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
