import { Worker } from 'node:worker_threads'

export interface FuzzResult {
  inputCount: number
  /** The finding, with its seed and path; null if there is none. */
  failure: string | null
}
/** What a worker is started with. `inputCounter` counts the inputs that were begun, so that a worker that hangs is seen. */
export interface FuzzOrder {
  target: string
  seconds: number
  inputs: number
  seed: number
  inputCounter: Int32Array
}

/**
 * Milliseconds of CPU of the process: an input that takes more hangs. On a busy machine the same work takes longer. And the timeout
 * for an input that waits, and for loading a target.
 */
const INPUT_TIMEOUT_MS = 5_000
const LOAD_TIMEOUT_MS = 120_000

/** Runs a target in a worker thread, watched by this one, for so many seconds or inputs. */
export async function fuzz(
  target: string,
  { seconds, inputs = Infinity, seed }: { seconds: number; inputs?: number; seed: number },
): Promise<FuzzResult> {
  const inputCounter = new Int32Array(new SharedArrayBuffer(4))
  const order: FuzzOrder = { target, seconds, inputs, seed, inputCounter }
  const worker = new Worker(new URL('./fuzzWorker.ts', import.meta.url), { workerData: order })
  let seen = 0
  let moved = performance.now()
  let movedCpu = process.cpuUsage()
  const watch = Promise.withResolvers<string>()
  const timer = setInterval(() => {
    const count = Atomics.load(inputCounter, 0)
    if (count !== seen) {
      moved = performance.now()
      movedCpu = process.cpuUsage()
    }
    seen = count
    const { user, system } = process.cpuUsage(movedCpu)
    const isSpinning = seen > 0 && (user + system) / 1000 > INPUT_TIMEOUT_MS
    if (isSpinning || performance.now() - moved > LOAD_TIMEOUT_MS)
      watch.resolve(`hangs at input ${seen} of seed ${seed}`)
  }, 200)
  const ended = new Promise<string | null>((resolve) => {
    worker.once('message', (failure: string | null) => resolve(failure))
    worker.once('error', (error) => resolve(`crashed: ${error.stack ?? String(error)}`))
    worker.once('exit', (code) => resolve(`exited with ${code} at input ${Atomics.load(inputCounter, 0)}`))
  })
  const failure = await Promise.race([ended, watch.promise])
  clearInterval(timer)
  await worker.terminate()
  return { inputCount: Atomics.load(inputCounter, 0), failure }
}
