import { describe, expect, it } from 'vitest'
import { bendClock, canBendClocks } from './kill/clock.ts'

// Debian's package `faketime` gives a process a clock of its own.
if (canBendClocks)
  describe('a Loupe whose clock jumps in the middle of streams and of a batch', () => {
    it('keeps the frames in their order, ends every run and every row, and signs nobody out over five minutes', async () => {
      const all = await bendClock({ jumps: ['-5m', '+5m', '@2038-01-19 03:14:00'], zone: 'Europe/Berlin' })
      expect(all.flatMap(({ problems }) => problems)).toEqual([])
      for (const { ends } of all) expect(ends).toEqual({ succeeded: 6 })
      expect(all.slice(0, 2).map(({ isSignedIn }) => isSignedIn)).toEqual([true, true])
    }, 180_000)
  })
