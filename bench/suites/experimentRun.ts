import { setTimeout as wait } from 'node:timers/promises'
import type { Experiment, ExperimentResult, Suite } from '#contract/console/suites.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { type SendRequest, signIn } from '../../checks/kill/consoleClient.ts'
import { killWhileExperiment } from '../../checks/kill/experiments/killExperiment.ts'
import type { Figure } from '../figure.ts'

const COMPLETION_KEY = 'completion-of-the-bench'
const CASE_COUNT = 1_000
const REPETITION_COUNT = 3
const MAX_CONCURRENT_CALLS = 8
const WARM_UP_CALLS = 200
const CASES_PER_REQUEST = 200
const USER = 'bench'

/**
 * An experiment of 1,000 cases with three repetitions, 8 at once, on the built-in platform, against a loop of the same calls
 * through the console with the same concurrency: half of them before, half after.
 */
export async function runExperimentRunBench(): Promise<Figure[]> {
  const loupe = await new LoupeProcess({ PLATFORM_COMPLETION_KEY: COMPLETION_KEY }).start()
  try {
    const { send, cookie } = await signIn(loupe)
    const { data } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
    const workspace = data[0]?.id ?? ''
    const key = data[0]?.keys.find(({ kind }) => kind === 'completion')?.id ?? ''
    const call = async (number: number) => {
      const response = await fetch(`${loupe.url}/api/keys/${key}/completion-messages`, {
        method: 'POST',
        headers: { cookie, 'x-console': '1', 'content-type': 'application/json' },
        body: JSON.stringify({ inputs: toInputs(number), user: USER, response_mode: 'streaming' }),
      })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      await response.text()
    }
    const rows = CASE_COUNT * REPETITION_COUNT
    await measureLoop(call, WARM_UP_CALLS)
    const suite = await createSuite(send, workspace, key)
    const before = await measureLoop(call, rows / 2)
    const seconds = await measureExperiment(send, suite)
    const after = await measureLoop(call, rows / 2)
    const looped = before + after
    return [
      {
        bench: 'suites',
        what: `${CASE_COUNT} cases, ${REPETITION_COUNT} repetitions, ${MAX_CONCURRENT_CALLS} at once`,
        value: rows / seconds,
        unit: 'rows/s',
        against: `${(rows / looped).toFixed(1)} calls/s in a loop through the console`,
      },
      {
        bench: 'suites',
        what: 'the same, as a ratio to the time of that loop',
        value: seconds / looped,
        unit: 'times',
        against: `${seconds.toFixed(1)} against ${looped.toFixed(1)} s`,
        goal: '<= 1.1',
      },
    ]
  } finally {
    await loupe.remove()
  }
}

const KILLED_CASES = 600
const KILL_COUNT = 20

/** 20 times `kill -9` during a judged experiment. */
export async function runExperimentKillBench(): Promise<Figure[]> {
  const { counts, problems } = await killWhileExperiment({ cases: KILLED_CASES, kills: KILL_COUNT })
  for (const problem of problems) console.error(problem)
  return [
    {
      bench: 'suites',
      what: `kill -9 ${KILL_COUNT} times during an experiment of ${KILLED_CASES} judged cases: rows that are missing, sent twice or without verdicts`,
      value: problems.length,
      unit: 'rows',
      against: `${counts.succeeded} succeeded, ${counts.unknown} unknown`,
      goal: '0',
    },
  ]
}

const toInputs = (number: number) => ({
  query: `Case ${number} asks for nothing. The server reads each row to its end. What came is kept and shown again.`,
  length: 'short',
})

async function createSuite(send: SendRequest, workspace: string, key: string): Promise<Suite> {
  const suite = await send<Suite>('POST', '/api/suites', {
    workspace,
    name: 'bench',
    target: 'completion',
    about: key,
    checks: [{ type: 'regex', value: '\\S' }, { type: 'latency', threshold: 60_000 }, { type: 'not-is-refusal' }],
  })
  const cases = Array.from({ length: CASE_COUNT }, (_, index) => ({ input: { inputs: toInputs(index) } }))
  for (let first = 0; first < CASE_COUNT; first += CASES_PER_REQUEST)
    await send('POST', `/api/suites/${suite.id}/cases`, { cases: cases.slice(first, first + CASES_PER_REQUEST) })
  return suite
}

/** Seconds that the calls take. */
async function measureLoop(call: (number: number) => Promise<void>, count: number): Promise<number> {
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_CALLS }, async () => {
      while (next < count) await call(next++)
    }),
  )
  return (performance.now() - began) / 1_000
}

async function describeFirstFault(send: SendRequest, id: string): Promise<string> {
  for (const outcome of ['error', 'fail']) {
    const path = `/api/experiments/${id}/results?outcome=${outcome}&limit=1`
    const { data } = await send<{ data: ExperimentResult[] }>('GET', path)
    if (data[0]) return JSON.stringify([data[0].state, data[0].problem, data[0].verdicts])
  }
  return 'no row says why'
}

/** Seconds from the start of an experiment to the end of its last row. */
async function measureExperiment(send: SendRequest, suite: Suite): Promise<number> {
  const body = { repetitions: REPETITION_COUNT, at_once: MAX_CONCURRENT_CALLS, user: USER }
  const { id } = await send<Experiment>('POST', `/api/suites/${suite.id}/experiments`, body)
  for (;;) {
    // Polls like the page.
    await wait(1_000)
    const { batch, outcomes } = await send<Experiment>('GET', `/api/experiments/${id}`)
    if (batch.state === 'paused') throw new Error(`the experiment has paused: ${batch.pause}`)
    if (batch.state !== 'ended') continue
    if (outcomes.pass !== CASE_COUNT * REPETITION_COUNT)
      throw new Error(`not all passed: ${JSON.stringify(outcomes)}; ${await describeFirstFault(send, id)}`)
    return (Date.parse(batch.ended_at ?? '') - Date.parse(batch.began_at ?? '')) / 1_000
  }
}
