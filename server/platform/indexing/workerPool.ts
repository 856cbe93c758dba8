import { Worker } from 'node:worker_threads'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import { PlatformError } from '../platformErrors.ts'
import type { ChunkedText, ChunkingJob, ChunkingStage } from './chunkDocument.ts'

/** A file to extract the text from. */
export interface ExtractionRequest {
  name: string
  bytes: Uint8Array
}

export type WorkerRequest =
  | { order: 'extract'; extraction: ExtractionRequest }
  | { order: 'make'; making: ChunkingJob }
  | { order: 'next' }
  | { order: 'make all'; jobs: ChunkingJob[] }
  | { order: 'count'; text: string }
export type WorkerResponse =
  | { report: 'text'; read: DocumentText }
  | { report: 'refused'; status: number; code: string; message: string }
  | { report: 'failed'; message: string }
  | { report: 'stage'; stage: ChunkingStage }
  | { report: 'all'; results: ChunkingResult[] }
  | { report: 'count'; tokens: number }
  | { report: 'done' }

/** Null where the text gives too many units for one step. */
export type ChunkingResult = { chunked: ChunkedText | null } | { failure: string }

/** Runs CPU-heavy work in worker threads: parsing files, building segments and counting the tokens of long texts. */
export interface WorkerPool {
  /** @throws PlatformError 400, 413 or 415 if the file cannot be read, or exceeds the limits. */
  extractText: (extraction: ExtractionRequest) => Promise<DocumentText>
  /** @throws Error with the reason to store with the document. */
  chunk: (making: ChunkingJob) => AsyncGenerator<ChunkingStage>
  /**
   * Chunks several small texts in one step. Each has its own result.
   * @throws Error if one of them took too long or too much memory.
   */
  chunkAll: (jobs: ChunkingJob[]) => Promise<ChunkingResult[]>
  /** Tokens of a text; an estimate if the worker times out. */
  countTokens: (text: string) => Promise<number>
  close: () => Promise<void>
}

export interface WorkerLimits {
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
    async extractText(extraction) {
      const pooledWorker = await indexingWorkers.acquire()
      try {
        const response = await pooledWorker.send({ order: 'extract', extraction })
        if (response.report === 'text') return response.read
        if (response.report === 'refused') throw new PlatformError(response.status, response.code, response.message)
        throw new PlatformError(400, 'invalid_param', `The file cannot be read: ${toFailureReason(response)}`)
      } finally {
        indexingWorkers.release(pooledWorker)
      }
    },
    async *chunk(making) {
      const pooledWorker = await indexingWorkers.acquire()
      try {
        let response = await pooledWorker.send({ order: 'make', making })
        while (response.report === 'stage') {
          yield response.stage
          response = await pooledWorker.send({ order: 'next' })
        }
        if (response.report !== 'done') throw new Error(toFailureReason(response))
      } finally {
        indexingWorkers.release(pooledWorker)
      }
    },
    async chunkAll(jobs) {
      const pooledWorker = await smallTextWorkers.acquire()
      try {
        const response = await pooledWorker.send({ order: 'make all', jobs })
        if (response.report !== 'all') throw new Error(toFailureReason(response))
        return response.results
      } finally {
        smallTextWorkers.release(pooledWorker)
      }
    },
    async countTokens(text) {
      if (text.length <= MAX_INLINE_CHARACTERS) {
        // Its vocabulary takes a tenth of a second and 40 MB: a server without answers of its own never loads it.
        const tokenCount = await import('./tokenCount.ts')
        return tokenCount.countTokens(text)
      }
      const pooledWorker = await countingWorkers.acquire()
      try {
        const response = await pooledWorker.send({ order: 'count', text })
        return response.report === 'count' ? response.tokens : Math.ceil(text.length / CHARACTERS_PER_TOKEN)
      } finally {
        countingWorkers.release(pooledWorker)
      }
    },
    async close() {
      await Promise.all([indexingWorkers, smallTextWorkers, countingWorkers].map((workers) => workers.close()))
    },
  }
}

interface WorkerSet {
  acquire: () => Promise<PooledWorker>
  release: (bench: PooledWorker) => void
  close: () => Promise<void>
}

function createWorkerSet(maxWorkers: number, limits: WorkerLimits): WorkerSet {
  const idleWorkers: PooledWorker[] = []
  const waiters: ((pooledWorker: PooledWorker) => void)[] = []
  let workerCount = 0
  let isClosed = false
  return {
    async acquire() {
      if (isClosed) throw new Error('The worker pool is closed.')
      const idleWorker = idleWorkers.pop()
      if (idleWorker) return idleWorker
      if (workerCount < maxWorkers) {
        workerCount++
        return startWorker(limits)
      }
      return new Promise((resolve) => waiters.push(resolve))
    },
    release(pooledWorker) {
      const next = waiters.shift()
      if (next) return next(pooledWorker.isAlive ? pooledWorker : startWorker(limits))
      if (isClosed || !pooledWorker.isAlive) {
        workerCount--
        return void pooledWorker.stop()
      }
      idleWorkers.push(pooledWorker)
      pooledWorker.onIdle(IDLE_TIMEOUT_MS, () => {
        const index = idleWorkers.indexOf(pooledWorker)
        if (index === -1) return
        idleWorkers.splice(index, 1)
        workerCount--
        void pooledWorker.stop()
      })
    },
    async close() {
      isClosed = true
      await Promise.all(idleWorkers.splice(0).map((pooledWorker) => pooledWorker.stop()))
    },
  }
}

const toFailureReason = (response: WorkerResponse): string =>
  'message' in response ? response.message : 'the worker said nothing'

interface PooledWorker {
  isAlive: boolean
  send: (order: WorkerRequest) => Promise<WorkerResponse>
  onIdle: (time: number, then: () => void) => void
  stop: () => Promise<unknown>
}

/** One worker. It handles one request at a time, and is terminated when it exceeds the time or memory limit. */
function startWorker({ timeoutMs, heapMib, externalMib }: WorkerLimits): PooledWorker {
  const worker = new Worker(new URL('./indexingWorker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
    stdout: true,
    stderr: true,
  })
  worker.unref()
  let idleTimer: NodeJS.Timeout | undefined
  const pooledWorker: PooledWorker = {
    isAlive: true,
    send: (request) => {
      clearTimeout(idleTimer)
      return new Promise<WorkerResponse>((resolve) => {
        const finish = (response: WorkerResponse) => {
          clearTimeout(timer)
          clearInterval(memoryTimer)
          worker.off('message', finish)
          worker.off('error', onError)
          worker.off('exit', onExit)
          resolve(response)
        }
        const fail = (message: string) => {
          pooledWorker.isAlive = false
          void worker.terminate()
          finish({ report: 'failed', message })
        }
        const onError = (error: Error & { code?: string }) =>
          fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? OUT_OF_MEMORY_MESSAGE : error.message)
        const onExit = () => fail('the worker stopped')
        const timer = setTimeout(() => fail(`it takes longer than ${Math.round(timeoutMs / 1000)} seconds`), timeoutMs)
        const memoryTimer = setInterval(() => {
          worker.getHeapStatistics().then(
            ({ external_memory }) => external_memory > externalMib * BYTES_PER_MIB && fail(OUT_OF_MEMORY_MESSAGE),
            () => undefined,
          )
        }, MEMORY_CHECK_INTERVAL_MS)
        worker.once('message', finish)
        worker.once('error', onError)
        worker.once('exit', onExit)
        worker.postMessage(request)
      })
    },
    onIdle: (wait, then) => {
      idleTimer = setTimeout(then, wait)
      idleTimer.unref()
    },
    stop: () => {
      clearTimeout(idleTimer)
      pooledWorker.isAlive = false
      return worker.terminate()
    },
  }
  return pooledWorker
}

const OUT_OF_MEMORY_MESSAGE = 'it takes more memory than a document may'
const BYTES_PER_MIB = 1024 * 1024
