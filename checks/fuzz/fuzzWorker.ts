import { parentPort, workerData } from 'node:worker_threads'
import type { FuzzOrder } from './fuzz.ts'
import { openTarget } from './targets.ts'

/** Inputs of one round; each round has a seed of its own, so that a finding is found again at once. */
const INPUTS_PER_ROUND = 500

const { target, seconds, seed, inputCounter } = workerData as FuzzOrder
const { check, close } = await openTarget(target)
const deadline = performance.now() + seconds * 1000
let failure: string | null = null
for (let round = 0; failure === null && performance.now() < deadline; round++) {
  const left = Math.max(1, deadline - performance.now())
  failure = await check({ seed: seed + round, numRuns: INPUTS_PER_ROUND, interruptAfterTimeLimit: left }, () => {
    Atomics.add(inputCounter, 0, 1)
  })
}
await close()
parentPort?.postMessage(failure)
