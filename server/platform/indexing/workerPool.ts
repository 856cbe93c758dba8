import { once } from 'node:events'
import { setInterval, setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import { PlatformError } from '../platformErrors.ts'
import type { ChunkingJob, ChunkingStage } from './chunkDocument.ts'
import type { ExtractionRequest } from './extractText.ts'
import { IndexingError } from './indexingFailure.ts'

/** The tasks of a worker thread, which does one at a time. */
export interface WorkerTasks {
  extractText: { argument: ExtractionRequest; result: DocumentText }
  countTokens: { argument: string; result: number }
  startChunking: { argument: ChunkingJob; result: ChunkingStage | null }
  nextStage: { argument: null; result: ChunkingStage | null }
  chunkAll: { argument: ChunkingJob[]; result: ChunkingStage[][] }
}
/** The error is one of a platform request. */
export type TaskResult =
  | { result: WorkerTasks[keyof WorkerTasks]['result'] }
  | { failure: string; refusal: { status: number; code: string } | null }

/** Runs CPU-heavy work in worker threads: parsing files, building segments and counting the tokens of long texts. */
export interface WorkerPool {
  /** @throws PlatformError 400, 413 or 415 if the file cannot be read, or exceeds the limits. */
  extractText: (extraction: ExtractionRequest) => Promise<DocumentText>
  /** @throws IndexingError with the reason to store with the document. */
  chunk: (job: ChunkingJob) => AsyncGenerator<ChunkingStage>
  /**
   * Chunks several small texts in one step. Each has its stages: those of a text that is not small are incomplete, a
   * text that fails has none.
   * @throws IndexingError if one of them took too long or too much memory
   */
  chunkAll: (jobs: ChunkingJob[]) => Promise<ChunkingStage[][]>
  /** Tokens of a text; an estimate if the worker times out. */
  countTokens: (text: string) => Promise<number>
  close: () => Promise<void>
}

interface WorkerLimits {
  /** Timeout in ms for reading one file, or one step of building segments. */
  timeoutMs: number
  /** Memory limits in MiB: the worker's heap, and its memory outside of the heap. */
  heapMib: number
  externalMib: number
}

const WORKER_LIMITS: WorkerLimits = { timeoutMs: 30_000, heapMib: 384, externalMib: 256 }
const MAX_WORKERS = 2
const IDLE_TIMEOUT_MS = 20_000
const MEMORY_CHECK_INTERVAL_MS = 50

/** Longer texts, in characters, are counted in a worker; this many take a few milliseconds. */
const MAX_INLINE_CHARACTERS = 20_000
/** Counting is linear: a worker that takes longer than this gets no CPU time, and the answer must not wait for it. */
const COUNT_TIMEOUT_MS = 10_000
/** An estimate for English text; too low for other languages. */
const CHARACTERS_PER_TOKEN = 4

/** Workers start on demand, and stop after an idle period. */
export function createWorkerPool(limits: WorkerLimits = WORKER_LIMITS): WorkerPool {
  const indexingWorkers = createWorkerSet(MAX_WORKERS, limits)
  // Reserved for small texts, so that they do not wait for big ones.
  const smallTextWorkers = createWorkerSet(1, limits)
  // Reserved for answers, so that they do not wait for indexing.
  const countingWorkers = createWorkerSet(1, { ...limits, timeoutMs: COUNT_TIMEOUT_MS })
  return {
    extractText: (extraction) =>
      indexingWorkers.run('extractText', extraction).catch((error: Error) => {
        if (error instanceof PlatformError) throw error
        throw new PlatformError(400, 'invalid_param', `The file cannot be read: ${error.message}`)
      }),
    async *chunk(job) {
      const worker = await indexingWorkers.acquire()
      try {
        let stage = await worker.run('startChunking', job)
        while (stage) {
          yield stage
          stage = await worker.run('nextStage', null)
        }
      } finally {
        indexingWorkers.release(worker)
      }
    },
    chunkAll: (jobs) => smallTextWorkers.run('chunkAll', jobs),
    async countTokens(text) {
      if (text.length <= MAX_INLINE_CHARACTERS) {
        // The vocabulary takes a tenth of a second and 40 MB: a server that generates no answers never loads it.
        const tokenCount = await import('./tokenCount.ts')
        return tokenCount.countTokens(text)
      }
      return countingWorkers.run('countTokens', text).catch(() => Math.ceil(text.length / CHARACTERS_PER_TOKEN))
    },
    async close() {
      await Promise.all([indexingWorkers, smallTextWorkers, countingWorkers].map((workers) => workers.close()))
    },
  }
}

/** @throws PlatformError if the request is refused; IndexingError with the reason if the task fails or exceeds a limit. */
type RunTask = <Task extends keyof WorkerTasks>(
  task: Task,
  argument: WorkerTasks[Task]['argument'],
) => Promise<WorkerTasks[Task]['result']>

function createWorkerSet(maxWorkers: number, limits: WorkerLimits) {
  const idleWorkers = new Map<PooledWorker, NodeJS.Timeout>()
  const waiters: (() => void)[] = []
  let busyCount = 0
  let isClosed = false
  const acquire = async (): Promise<PooledWorker> => {
    if (isClosed) throw new Error('The worker pool is closed.')
    if (busyCount < maxWorkers) busyCount++
    else await new Promise<void>((resolve) => waiters.push(resolve))
    const [idle] = idleWorkers
    if (!idle) return startWorker(limits)
    clearTimeout(idle[1])
    idleWorkers.delete(idle[0])
    return idle[0]
  }
  const release = (worker: PooledWorker): void => {
    const next = waiters.shift()
    if (next) next()
    else busyCount--
    if (isClosed || !worker.isAlive()) return void worker.stop()
    const stop = () => idleWorkers.delete(worker) && worker.stop()
    idleWorkers.set(worker, setTimeout(stop, IDLE_TIMEOUT_MS).unref())
  }
  const run: RunTask = async (task, argument) => {
    const worker = await acquire()
    return worker.run(task, argument).finally(() => release(worker))
  }
  return {
    acquire,
    release,
    run,
    async close() {
      isClosed = true
      await Promise.all([...idleWorkers.keys()].map((worker) => worker.stop()))
    },
  }
}

type PooledWorker = ReturnType<typeof startWorker>

/** A worker that is terminated when a task exceeds the time or memory limit. */
function startWorker({ timeoutMs, heapMib, externalMib }: WorkerLimits) {
  const worker = new Worker(new URL('./indexingWorker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
    stdout: true,
    stderr: true,
  })
  worker.unref()
  let isAlive = true
  const stop = () => {
    isAlive = false
    return worker.terminate()
  }
  const waitForMemoryLimit = async (signal: AbortSignal): Promise<string> => {
    for await (const _ of setInterval(MEMORY_CHECK_INTERVAL_MS, undefined, { signal })) {
      const { external_memory } = await worker.getHeapStatistics().catch(() => ({ external_memory: 0 }))
      if (external_memory > externalMib * BYTES_PER_MIB) break
    }
    return OUT_OF_MEMORY_MESSAGE
  }
  const run: RunTask = async (task, argument) => {
    const controller = new AbortController()
    const { signal } = controller
    worker.postMessage({ task, argument })
    const outcome = await Promise.race([
      once(worker, 'message', { signal }) as Promise<[TaskResult]>,
      once(worker, 'exit', { signal }).then(() => 'the worker stopped'),
      wait(timeoutMs, `it takes longer than ${Math.round(timeoutMs / 1000)} seconds`, { signal }),
      waitForMemoryLimit(signal),
    ]).catch((error: Error & { code?: string }) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? OUT_OF_MEMORY_MESSAGE : error.message,
    )
    controller.abort()
    if (typeof outcome === 'string') {
      void stop()
      throw new IndexingError(outcome)
    }
    const [reply] = outcome
    if ('result' in reply) return reply.result as WorkerTasks[typeof task]['result']
    const { failure, refusal } = reply
    throw refusal ? new PlatformError(refusal.status, refusal.code, failure) : new IndexingError(failure)
  }
  return { isAlive: () => isAlive, run, stop }
}

const OUT_OF_MEMORY_MESSAGE = 'it takes more memory than a document may'
const BYTES_PER_MIB = 1024 * 1024
