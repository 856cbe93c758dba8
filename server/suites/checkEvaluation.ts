import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Check, Verdict } from '#contract/console/checks.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import { toUndecided } from '#domain/checks/evaluateCheck.ts'
import type { UnreadableParameter } from '#domain/checks/jsonChecks.ts'

/** Milliseconds for all checks of a case, and for reading all that are saved at once. */
export const CHECK_BUDGET_MS = 1_000
const MAX_HEAP_MIB = 256

/** Checks to evaluate, or only to be read where there is no result. */
export interface CheckJob {
  checks: readonly Check[]
  result?: CheckedResult
}

/** What each check says; those that are left after the time of a case cannot be decided. */
export async function evaluateChecks(checks: readonly Check[], result: CheckedResult): Promise<Verdict[]> {
  const { answers, failure } = await enqueue<Verdict>({ checks, result })
  return checks.map((check, index) => answers[index] ?? toUndecided(check, `The checks of this case ${failure}.`))
}

/** The first check that no result could be decided by, or that takes too long to read. */
export async function findUnreadableCheck(
  checks: readonly Check[],
): Promise<(UnreadableParameter & { index: number }) | null> {
  const { answers, failure } = await enqueue<UnreadableParameter | null>({ checks })
  const index = answers.findIndex((answer) => answer !== null)
  if (index >= 0) return { index, ...(answers[index] as UnreadableParameter) }
  return answers.length === checks.length ? null : { index: answers.length, field: 'value', message: `${failure}` }
}

interface CheckAnswers<Answer> {
  /** One for each check, or fewer. */
  answers: Answer[]
  failure: string
}

/**
 * People write patterns and schemas, and platforms the texts that they are applied to: a thread that can be terminated
 * evaluates them, one job at a time. It keeps no process alive.
 */
let worker: Worker | null = null
let lastJob: Promise<unknown> = Promise.resolve()

function enqueue<Answer>(job: CheckJob): Promise<CheckAnswers<Answer>> {
  const done = lastJob.then(() => (job.checks.length === 0 ? { answers: [], failure: '' } : runJob<Answer>(job)))
  lastJob = done.catch(() => undefined)
  return done
}

async function runJob<Answer>(job: CheckJob): Promise<CheckAnswers<Answer>> {
  const thread = (worker ??= await startWorker())
  const answers: Answer[] = []
  const failure = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(`took over ${CHECK_BUDGET_MS / 1_000} s`), CHECK_BUDGET_MS)
    const onMessage = (answer: Answer) => {
      if (answers.push(answer) === job.checks.length) end(null)
    }
    const onError = ({ message }: Error) => end(`failed: ${message}`)
    const end = (outcome: string | null) => {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError)
      resolve(outcome)
    }
    thread.on('message', onMessage).on('error', onError).postMessage(job)
  })
  if (failure !== null) {
    worker = null
    thread.removeAllListeners('message').on('error', () => undefined)
    void thread.terminate()
  }
  return { answers, failure: failure ?? '' }
}

async function startWorker(): Promise<Worker> {
  const thread = new Worker(new URL('./checkWorker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  })
  await once(thread, 'message')
  thread.unref()
  return thread
}
