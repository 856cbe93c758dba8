import { parentPort, workerData } from 'node:worker_threads'
import type { FuzzOrder } from './fuzz.ts'
import { openTarget } from './targets.ts'

/** Inputs of one round; each round has a seed of its own, so that a finding is found again at once. */
const INPUTS_PER_ROUND = 500

const { target, seconds, inputs, seed, inputCounter } = workerData as FuzzOrder
const { check, close } = await openTarget(target)
const deadline = performance.now() + seconds * 1000
let failure: string | null = null
const hasInputsLeft = () => Atomics.load(inputCounter, 0) < inputs
for (let round = 0; failure === null && hasInputsLeft() && performance.now() < deadline; round++) {
  const left = Math.max(1, deadline - performance.now())
  const numRuns = Math.min(INPUTS_PER_ROUND, inputs)
  failure = await check({ seed: seed + round, numRuns, interruptAfterTimeLimit: left }, () => {
    Atomics.add(inputCounter, 0, 1)
  })
}
await close()
parentPort?.postMessage(failure)
