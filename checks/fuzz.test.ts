import { expect, it } from 'vitest'
import { fuzz } from './fuzz/fuzz.ts'
import { TARGETS } from './fuzz/targets.ts'

it.each(TARGETS)('%s holds what it promises for a second of random inputs', async (target) => {
  const { inputs, failure } = await fuzz(target, { seconds: 1, seed: 1 })
  expect(failure).toBeNull()
  expect(inputs).toBeGreaterThan(0)
})
