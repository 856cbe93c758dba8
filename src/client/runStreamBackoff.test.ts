import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getBackoffMs } from './runStream.ts'

test('waits grow from half a second to fifteen, never in step', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
      const delay = getBackoffMs(attempt, () => random)
      expect(delay).toBeGreaterThanOrEqual(250)
      expect(delay).toBeLessThanOrEqual(15_000)
      expect(getBackoffMs(attempt + 1, () => random)).toBeGreaterThanOrEqual(delay)
    }),
  )
})
