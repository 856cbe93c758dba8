import { parseArgs } from 'node:util'
import { fuzz } from './fuzz/fuzz.ts'
import { TARGET_NAMES } from './fuzz/targets.ts'

/**
 * `npm run fuzz -- --seconds 60 --target sse --seed 7`: tries one target, or each, on random inputs for so long. What it
 * finds is printed with the seed and path that find it again; an input that takes over five seconds counts as a hang.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, target: { type: 'string' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
let failureCount = 0
for (const target of values.target ? [values.target] : TARGET_NAMES) {
  const { inputCount, failure } = await fuzz(target, { seconds: Number(values.seconds), seed })
  console.log(`${target}: ${inputCount.toLocaleString('en')} inputs from seed ${seed}, ${failure ?? 'nothing found'}`)
  if (failure) failureCount++
}
process.exitCode = failureCount > 0 ? 1 : 0
