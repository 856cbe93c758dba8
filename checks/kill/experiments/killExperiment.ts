import { setTimeout as wait } from 'node:timers/promises'
import type { Experiment, ExperimentResult, Suite } from '#contract/console/suites.ts'
import {
  createAnswerIds,
  openStream,
  ScriptedPlatform,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { addKeys, createPreparedLoupe, type SendRequest, signIn } from '../consoleClient.ts'
import { waitForEndedRows } from '../killBatch.ts'

export interface ExperimentKillOptions {
  cases: number
  kills: number
  /** Additional environment of the server. */
  env?: Record<string, string>
}
export interface ExperimentKillResult {
  counts: Experiment['batch']['counts']
  /** Rows that had ended at each kill. */
  ended_before_kill: number[]
  /** Errors found afterwards, one line per row. */
  problems: string[]
}

const MAX_CONCURRENT_ROWS = 8
const CASES_PER_REQUEST = 200
const END_TIMEOUT_MS = 120_000
/** A judge whose run broke off is asked once more, in a run of its own. */
const MAX_JUDGE_TRIES = 2

/**
 * Has a real Loupe run an experiment whose answers are judged, kills it with `kill -9` in the middle, and starts it again,
 * so many times. Afterwards every case must have a row, the platform must have met none twice, and each row must have its
 * verdicts or be `unknown`.
 */
export async function killWhileExperiment({
  cases,
  kills,
  env = {},
}: ExperimentKillOptions): Promise<ExperimentKillResult> {
  const platform = await ScriptedPlatform.start()
  platform.script = async ({ method, body }, response) => {
    if (method !== 'POST') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    const ids = createAnswerIds()
    openStream(response)
    await wait(10)
    response.write(toMessageBlock(ids, isJudgeRequest(body) ? '{"pass": true, "score": 1}' : 'one '))
    await wait(10)
    response.end(toMessageEndBlock(ids, { usage: { total_tokens: 2 } }))
  }
  const loupe = await (await createPreparedLoupe({ PLATFORM: 'off', ...env })).start()
  try {
    const { send } = await signIn(loupe)
    const { completion } = await addKeys(send, platform.url, ['completion'])
    const id = await startExperiment(send, completion, cases)
    const ended_before_kill: number[] = []
    for (let kill = 1; kill <= kills; kill++) {
      ended_before_kill.push(await waitForEndedRows(send, id, Math.floor((cases * kill) / (kills + 1))))
      await loupe.kill()
      await loupe.start()
    }
    const { batch } = await waitForEnd(send, id)
    const results = await listResults(send, id)
    const problems = [
      ...(results.length === cases ? [] : [`${results.length} rows of ${cases} cases`]),
      ...findResultProblems(results, countRequests(platform)),
    ]
    return { counts: batch.counts, ended_before_kill, problems }
  } finally {
    await loupe.remove()
    await platform.close()
  }
}

const isJudgeRequest = (body: string): boolean => body.includes('You judge what an app has answered.')

async function startExperiment(send: SendRequest, completion: string, count: number): Promise<string> {
  const workspaces = await send<{ data: { id: string; keys: { id: string }[] }[] }>('GET', '/api/workspaces')
  const workspace = workspaces.data.find(({ keys }) => keys.some((key) => key.id === completion))?.id
  const suite = await send<Suite>('POST', '/api/suites', {
    workspace,
    name: 'Killed',
    target: 'completion',
    about: completion,
    checks: [
      { type: 'contains', value: 'one' },
      { type: 'llm-rubric', value: 'is short', judge: completion },
    ],
  })
  const cases = Array.from({ length: count }, (_, index) => ({ input: { inputs: { text: toCaseText(index + 1) } } }))
  for (let first = 0; first < count; first += CASES_PER_REQUEST)
    await send('POST', `/api/suites/${suite.id}/cases`, { cases: cases.slice(first, first + CASES_PER_REQUEST) })
  const body = { user: 'killer', at_once: MAX_CONCURRENT_ROWS }
  return (await send<Experiment>('POST', `/api/suites/${suite.id}/experiments`, body)).id
}

const toCaseText = (number: number): string => `case ${number}.`

/** How often the platform was asked each case, and the judge about it. */
function countRequests(platform: ScriptedPlatform): { asked: Map<string, number>; judged: Map<string, number> } {
  const asked = new Map<string, number>()
  const judged = new Map<string, number>()
  for (const { path, body } of platform.requests) {
    if (!path.endsWith('/completion-messages')) continue
    const text = /case \d+\./.exec(body)?.[0]
    const counts = isJudgeRequest(body) ? judged : asked
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return { asked, judged }
}

function findResultProblems(
  results: readonly ExperimentResult[],
  { asked, judged }: ReturnType<typeof countRequests>,
): string[] {
  return results.flatMap(({ number, state, outcome, verdicts, input }) => {
    const text = String(input.inputs?.text)
    const times = asked.get(text) ?? 0
    const tries = judged.get(text) ?? 0
    if (times > 1) return [`row ${number} was sent ${times} times`]
    if (tries > MAX_JUDGE_TRIES) return [`row ${number} was judged ${tries} times`]
    if (state === 'unknown') return []
    if (state !== 'succeeded' || times !== 1) return [`row ${number} ended as ${state}, sent ${times} times`]
    return outcome !== null && verdicts.length === 2 ? [] : [`row ${number} succeeded without its verdicts`]
  })
}

async function waitForEnd(send: SendRequest, id: string): Promise<Experiment> {
  const deadline = Date.now() + END_TIMEOUT_MS
  for (;;) {
    const experiment = await send<Experiment>('GET', `/api/experiments/${id}`)
    if (experiment.batch.state === 'ended' || Date.now() > deadline) return experiment
    await wait(200)
  }
}

async function listResults(send: SendRequest, id: string): Promise<ExperimentResult[]> {
  const all: ExperimentResult[] = []
  for (let page = 1; ; page++) {
    const path = `/api/experiments/${id}/results?limit=100&page=${page}`
    const { data, has_more } = await send<{ data: ExperimentResult[]; has_more: boolean }>('GET', path)
    all.push(...data)
    if (!has_more) return all
  }
}
