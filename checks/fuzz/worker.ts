import { parentPort, workerData } from 'node:worker_threads'
import type { Order } from './fuzz.ts'
import { openTarget } from './targets.ts'

/** Inputs of one round; each round has a seed of its own, so that a finding is found again at once. */
const ROUND = 500

const { target, seconds, seed, inputs } = workerData as Order
const { check, close } = await openTarget(target)
const until = performance.now() + seconds * 1000
let failure: string | null = null
for (let round = 0; failure === null && performance.now() < until; round++) {
  const left = Math.max(1, until - performance.now())
  failure = await check({ seed: seed + round, numRuns: ROUND, interruptAfterTimeLimit: left }, () => {
    Atomics.add(inputs, 0, 1)
  })
}
await close()
parentPort?.postMessage(failure)
