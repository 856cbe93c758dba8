import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Judgement } from '#domain/checks/checkedResult.ts'
import type { CauseSources, RegressedCase } from '#domain/experiments/rankCauses.ts'

/**
 * Checks to evaluate, or only to be read where there is no result, as JSON: a structured clone keeps no digits of numbers,
 * and the judgement of each; or regressed cases to explain.
 */
export type SuiteJob =
  | { json: string; judgements?: (Judgement | undefined)[] }
  | { cases: readonly RegressedCase[]; sources: CauseSources }

interface JobAnswers<Answer> {
  /** As many as were asked for, or fewer. */
  answers: Answer[]
  failure: string
}

const MAX_HEAP_MIB = 256
const PROBES_PER_BUDGET = 4
const MICROSECONDS_PER_MS = 1_000

/**
 * People write patterns and schemas, and platforms the texts that they are applied to: a thread that can be terminated works
 * on them, one job at a time. It keeps no process alive.
 */
export class SuiteThread {
  /** Of processor time: on a busy machine a job that waits uses none. */
  readonly #budgetMs: number
  #worker: Worker | null = null
  #lastJob: Promise<unknown> = Promise.resolve()

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs
  }

  /** @returns the answers that came in time, and why there are no more than these */
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
    // Before the listeners, which would stay if it threw. Answers come in a later turn of the event loop.
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
    // It ends after the call of a built-in function that it is in. Until then no other one starts, so that none pile up.
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
