import { Worker } from 'node:worker_threads'
import { PlatformError } from '../errors.ts'
import type { Making, Stage } from './making.ts'
import { countTokens } from './tokens.ts'

/** A file whose text is wanted. */
export interface Extraction {
  name: string
  bytes: Uint8Array
}

export type Order =
  | { order: 'extract'; extraction: Extraction }
  | { order: 'make'; making: Making }
  | { order: 'next' }
  | { order: 'count'; text: string }
export type Report =
  | { report: 'text'; text: string }
  | { report: 'refused'; status: number; code: string; message: string }
  | { report: 'failed'; message: string }
  | { report: 'stage'; stage: Stage }
  | { report: 'count'; tokens: number }
  | { report: 'done' }

/** Where heavy work is done, away from the event loop: reading files, making segments and counting the tokens of long texts. */
export interface Workshop {
  /** @throws PlatformError 400, 413 or 415 when the file cannot be read, or not within the bounds. */
  extract: (extraction: Extraction) => Promise<string>
  /** @throws Error with the reason that the document is given. */
  make: (making: Making) => AsyncGenerator<Stage>
  /** Tokens of a text; an estimate where the worker did not count them in time. */
  countTokens: (text: string) => Promise<number>
  close: () => Promise<void>
}

export interface Bounds {
  /** Milliseconds that reading one file, or one step of making segments, may take. */
  time: number
  /** MiB of the worker's heap, and of what it holds outside of it. */
  heap: number
  outside: number
}

const BOUNDS: Bounds = { time: 30_000, heap: 384, outside: 256 }
const MOST_WORKERS = 2
const IDLE_TIME = 20_000
const WATCH_INTERVAL = 50

/** A text of more characters than this is counted in a worker; this many take a few milliseconds. */
const MAX_INLINE_CHARACTERS = 20_000
/** Counting is linear: a worker that takes longer than this is starved, and an answer does not wait for it. */
const COUNT_TIMEOUT_MS = 10_000
/** An estimate for English text; for others it is too low. */
const CHARACTERS_PER_TOKEN = 4

/** Workers are started when there is work, and stopped when there has been none for a while. */
export function openWorkshop(bounds: Bounds = BOUNDS): Workshop {
  const indexing = newPool(MOST_WORKERS, bounds)
  // Answers do not wait for documents that are being indexed.
  const counting = newPool(1, { ...bounds, time: COUNT_TIMEOUT_MS })
  return {
    async extract(extraction) {
      const bench = await indexing.take()
      try {
        const report = await bench.ask({ order: 'extract', extraction })
        if (report.report === 'text') return report.text
        if (report.report === 'refused') throw new PlatformError(report.status, report.code, report.message)
        throw new PlatformError(400, 'invalid_param', `The file cannot be read: ${reasonOf(report)}`)
      } finally {
        indexing.giveBack(bench)
      }
    },
    async *make(making) {
      const bench = await indexing.take()
      try {
        let report = await bench.ask({ order: 'make', making })
        while (report.report === 'stage') {
          yield report.stage
          report = await bench.ask({ order: 'next' })
        }
        if (report.report !== 'done') throw new Error(reasonOf(report))
      } finally {
        indexing.giveBack(bench)
      }
    },
    async countTokens(text) {
      if (text.length <= MAX_INLINE_CHARACTERS) return countTokens(text)
      const bench = await counting.take()
      try {
        const report = await bench.ask({ order: 'count', text })
        return report.report === 'count' ? report.tokens : Math.ceil(text.length / CHARACTERS_PER_TOKEN)
      } finally {
        counting.giveBack(bench)
      }
    },
    async close() {
      await Promise.all([indexing.close(), counting.close()])
    },
  }
}

interface Pool {
  take: () => Promise<Bench>
  giveBack: (bench: Bench) => void
  close: () => Promise<void>
}

function newPool(maxWorkers: number, bounds: Bounds): Pool {
  const idle: Bench[] = []
  const waiting: ((bench: Bench) => void)[] = []
  let benches = 0
  let closed = false
  return {
    async take() {
      if (closed) throw new Error('The workshop is closed.')
      const free = idle.pop()
      if (free) return free
      if (benches < maxWorkers) {
        benches++
        return newBench(bounds)
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    giveBack(bench) {
      const next = waiting.shift()
      if (next) return next(bench.alive ? bench : newBench(bounds))
      if (closed || !bench.alive) {
        benches--
        return void bench.stop()
      }
      idle.push(bench)
      bench.afterIdle(IDLE_TIME, () => {
        const index = idle.indexOf(bench)
        if (index === -1) return
        idle.splice(index, 1)
        benches--
        void bench.stop()
      })
    },
    async close() {
      closed = true
      await Promise.all(idle.splice(0).map((bench) => bench.stop()))
    },
  }
}

const reasonOf = (report: Report): string => ('message' in report ? report.message : 'the worker said nothing')

interface Bench {
  alive: boolean
  ask: (order: Order) => Promise<Report>
  afterIdle: (time: number, then: () => void) => void
  stop: () => Promise<unknown>
}

/** One worker. It does one thing at a time, and is killed when that takes too long or too much memory. */
function newBench({ time, heap, outside }: Bounds): Bench {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heap },
    stdout: true,
    stderr: true,
  })
  worker.unref()
  let idleTimer: NodeJS.Timeout | undefined
  const bench: Bench = {
    alive: true,
    ask: (order) => {
      clearTimeout(idleTimer)
      return new Promise<Report>((resolve) => {
        const settle = (report: Report) => {
          clearTimeout(limit)
          clearInterval(watch)
          worker.off('message', settle)
          worker.off('error', onError)
          worker.off('exit', onExit)
          resolve(report)
        }
        const fail = (message: string) => {
          bench.alive = false
          void worker.terminate()
          settle({ report: 'failed', message })
        }
        const onError = (error: Error & { code?: string }) =>
          fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH_MEMORY : error.message)
        const onExit = () => fail('the worker stopped')
        const limit = setTimeout(() => fail(`it takes longer than ${Math.round(time / 1000)} seconds`), time)
        const watch = setInterval(() => {
          worker.getHeapStatistics().then(
            ({ external_memory }) => external_memory > outside * MEBIBYTE && fail(TOO_MUCH_MEMORY),
            () => undefined,
          )
        }, WATCH_INTERVAL)
        worker.once('message', settle)
        worker.once('error', onError)
        worker.once('exit', onExit)
        worker.postMessage(order)
      })
    },
    afterIdle: (wait, then) => {
      idleTimer = setTimeout(then, wait)
      idleTimer.unref()
    },
    stop: () => {
      clearTimeout(idleTimer)
      bench.alive = false
      return worker.terminate()
    },
  }
  return bench
}

const TOO_MUCH_MEMORY = 'it takes more memory than a document may'
const MEBIBYTE = 1024 * 1024
