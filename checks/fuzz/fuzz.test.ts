import { expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { TARGET_NAMES } from './targets.ts'

it.each(TARGET_NAMES)('%s holds what it promises for 100 random inputs', async (target) => {
  const { inputCount, failure } = await fuzz(target, { inputs: 100, seconds: 20, seed: 1 })
  expect(failure, failure ?? '').toBeNull()
  expect(inputCount).toBeGreaterThan(0)
})
