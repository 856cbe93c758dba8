import { setTimeout as wait } from 'node:timers/promises'
import type { Experiment, ExperimentResult, Suite } from '#contract/console/suites.ts'
import {
  createAnswerIds,
  openStream,
  type ScriptedPlatform,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { readPages, type SendRequest, withScriptedConsole } from './consoleClient.ts'
import { type BatchKillResult, killDuringBatch, waitForEnd } from './killBatch.ts'

const MAX_CONCURRENT_ROWS = 8
const CASES_PER_REQUEST = 200
/** A judge whose run broke off is asked once more, in a run of its own. */
const MAX_JUDGE_TRIES = 2

/**
 * Has a real Loupe run an experiment whose answers are judged, kills it with `kill -9` in the middle, and starts it again,
 * so many times. Afterwards every case must have a row, the platform must have met none twice, and each row must have its
 * verdicts or be `unknown`.
 */
export const killWhileExperiment = ({
  cases,
  kills,
  env = {},
}: {
  cases: number
  kills: number
  env?: Record<string, string>
}): Promise<BatchKillResult> =>
  withScriptedConsole(env, async ({ platform, loupe, send, keys }) => {
    platform.script = async ({ method, body }, response) => {
      if (method !== 'POST') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
      const ids = createAnswerIds()
      openStream(response)
      await wait(10)
      response.write(toMessageBlock(ids, isJudgeRequest(body) ? '{"pass": true, "score": 1}' : 'one '))
      await wait(10)
      response.end(toMessageEndBlock(ids, { usage: { total_tokens: 2 } }))
    }
    const id = await startExperiment(send, keys.completion, cases)
    const ended_before_kill = await killDuringBatch(loupe, send, id, kills, (kill) => kill / (kills + 1))
    const { counts } = await waitForEnd(send, id)
    const results = await readPages<ExperimentResult>(send, `/api/experiments/${id}/results`)
    const problems = [
      ...(results.length === cases ? [] : [`${results.length} rows of ${cases} cases`]),
      ...findResultProblems(results, platform),
    ]
    return { counts, ended_before_kill, problems }
  })

const isJudgeRequest = (body: string): boolean => body.includes('You judge what an app has answered.')

async function startExperiment(send: SendRequest, completion: string, count: number): Promise<string> {
  const workspaces = await send<{ data: { id: string; keys: { id: string }[] }[] }>('GET', '/api/workspaces')
  const suite = await send<Suite>('POST', '/api/suites', {
    workspace: workspaces.data.find(({ keys }) => keys.some((key) => key.id === completion))?.id,
    name: 'Killed',
    target: 'completion',
    about: completion,
    checks: [
      { type: 'contains', value: 'one' },
      { type: 'llm-rubric', value: 'is short', judge: completion },
    ],
  })
  const cases = Array.from({ length: count }, (_, index) => ({ input: { inputs: { text: `case ${index + 1}.` } } }))
  for (let first = 0; first < count; first += CASES_PER_REQUEST)
    await send('POST', `/api/suites/${suite.id}/cases`, { cases: cases.slice(first, first + CASES_PER_REQUEST) })
  const body = { user: 'killer', at_once: MAX_CONCURRENT_ROWS }
  return (await send<Experiment>('POST', `/api/suites/${suite.id}/experiments`, body)).id
}

function findResultProblems(results: readonly ExperimentResult[], platform: ScriptedPlatform): string[] {
  const requests = platform.requests.filter(({ path }) => path.endsWith('/completion-messages'))
  const count = (text: string, isJudged: boolean) =>
    requests.filter(({ body }) => isJudgeRequest(body) === isJudged && /case \d+\./.exec(body)?.[0] === text).length
  return results.flatMap(({ number, state, outcome, verdicts, input }) => {
    const text = String(input.inputs?.text)
    const [times, tries] = [count(text, false), count(text, true)]
    if (times > 1) return [`row ${number} was sent ${times} times`]
    if (tries > MAX_JUDGE_TRIES) return [`row ${number} was judged ${tries} times`]
    if (state === 'unknown') return []
    if (state !== 'succeeded' || times !== 1) return [`row ${number} ended as ${state}, sent ${times} times`]
    return outcome !== null && verdicts.length === 2 ? [] : [`row ${number} succeeded without its verdicts`]
  })
}
