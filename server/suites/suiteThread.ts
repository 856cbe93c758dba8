import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Judgement } from '#domain/checks/checkedResult.ts'
import type { CauseSources, RegressedCase } from '#domain/experiments/rankCauses.ts'

/**
 * Checks to evaluate, or only to read if there is no result, as JSON, since a structured clone loses digits of
 * numbers, with the judgement of each; or regressed cases to explain.
 */
export type SuiteJob =
  | { json: string; judgements?: (Judgement | undefined)[] }
  | { cases: readonly RegressedCase[]; sources: CauseSources }

interface JobAnswers<Answer> {
  /** As many as requested, or fewer. */
  answers: Answer[]
  failure: string
}

const MAX_HEAP_MIB = 256
const PROBES_PER_BUDGET = 4
const MICROSECONDS_PER_MS = 1_000

/**
 * A terminable thread for patterns and schemas written by people, and texts from platforms. It runs one job at a time
 * and keeps no process alive.
 */
export class SuiteThread {
  /** Processor time: a job that waits on a busy machine uses none. */
  readonly #budgetMs: number
  #worker: Worker | null = null
  #lastJob: Promise<unknown> = Promise.resolve()

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs
  }

  /** @returns the answers that came in time, and why there are no more */
  run<Answer>(job: SuiteJob, count: number): Promise<JobAnswers<Answer>> {
    const done = this.#lastJob.then(() => this.#run<Answer>(job, count))
    this.#lastJob = done.catch(() => undefined)
    return done
  }

  async #run<Answer>(job: SuiteJob, count: number): Promise<JobAnswers<Answer>> {
    const answers: Answer[] = []
    if (count === 0) return { answers, failure: '' }
    const thread = (this.#worker ??= await this.#start())
    const usedBefore = await thread.cpuUsage()
    // Before the listeners, which would remain if it threw. Answers come in a later turn of the event loop.
    thread.postMessage(job)
    const failure = await new Promise<string | null>((resolve) => {
      const end = (outcome: string | null) => {
        clearInterval(probe)
        thread.off('message', onMessage).off('error', onError)
        resolve(outcome)
      }
      const onMessage = (answer: Answer) => {
        if (answers.push(answer) === count) end(null)
      }
      const onError = ({ message }: Error) => end(`failed: ${message}`)
      const onUsage = ({ user, system }: NodeJS.CpuUsage) => {
        if ((user + system) / MICROSECONDS_PER_MS >= this.#budgetMs) end(`took over ${this.#budgetMs / 1_000} s`)
      }
      const probe = setInterval(
        () => void thread.cpuUsage(usedBefore).then(onUsage, onError),
        this.#budgetMs / PROBES_PER_BUDGET,
      )
      thread.on('message', onMessage).on('error', onError)
    })
    if (failure === null) return { answers, failure: '' }
    // The thread ends after the built-in function that it is in. No other one starts before, so that threads do not
    // pile up.
    await thread.terminate()
    return { answers, failure }
  }

  async #start(): Promise<Worker> {
    const thread = new Worker(new URL('./suiteWorker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    })
    thread.on('error', () => undefined).on('exit', () => (this.#worker = null))
    await once(thread, 'message')
    thread.unref()
    return thread
  }
}
