import { Worker } from 'node:worker_threads'

export interface Fuzzed {
  inputs: number
  /** What was found, with the way to find it again; null for nothing. */
  failure: string | null
}
/** What a worker is started with. `inputs` counts those that were begun, so that a worker that hangs is seen. */
export interface Order {
  target: string
  seconds: number
  seed: number
  inputs: Int32Array
}

/** Milliseconds: an input that takes longer hangs, and how long a worker may take to load what it tries. */
const HANG = 5_000
const LOADING = 120_000

/** Tries a target in a thread of its own, under the eyes of this one. */
export async function fuzz(target: string, { seconds, seed }: { seconds: number; seed: number }): Promise<Fuzzed> {
  const inputs = new Int32Array(new SharedArrayBuffer(4))
  const order: Order = { target, seconds, seed, inputs }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: order })
  let seen = 0
  let moved = performance.now()
  const watch = Promise.withResolvers<string>()
  const timer = setInterval(() => {
    const count = Atomics.load(inputs, 0)
    if (count !== seen) moved = performance.now()
    seen = count
    const patience = seen === 0 ? LOADING : HANG
    if (performance.now() - moved > patience) watch.resolve(`hangs at input ${seen} of seed ${seed}`)
  }, 200)
  const ended = new Promise<string | null>((resolve) => {
    worker.once('message', (failure: string | null) => resolve(failure))
    worker.once('error', (error) => resolve(`crashed: ${error.stack ?? String(error)}`))
    worker.once('exit', (code) => resolve(`exited with ${code} at input ${Atomics.load(inputs, 0)}`))
  })
  const failure = await Promise.race([ended, watch.promise])
  clearInterval(timer)
  await worker.terminate()
  return { inputs: Atomics.load(inputs, 0), failure }
}
