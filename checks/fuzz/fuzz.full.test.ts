import { expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { TARGET_NAMES } from './targets.ts'

it.each(TARGET_NAMES)('%s holds what it promises for five seconds of random inputs', async (target) => {
  const seed = Math.floor(Math.random() * 1_000_000_000)
  const { inputCount, failure } = await fuzz(target, { seconds: 5, seed })
  expect(failure, failure ?? '').toBeNull()
  expect(inputCount).toBeGreaterThan(0)
})
