import { expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { jumpClock } from './clockJumps.ts'

// libfaketime gives a process a clock of its own.
describeWith(requirements.libfaketime)('a Loupe whose clock jumps in the middle of streams and of a batch', () => {
  it('keeps the frames in their order, ends every run and every row, and signs nobody out over five minutes', async () => {
    const all = await jumpClock({ jumps: ['-5m', '+5m', '@2038-01-19 03:14:00'], zone: 'Europe/Berlin' })
    expect(all.flatMap(({ problems }) => problems)).toEqual([])
    for (const { ends } of all) expect(ends).toEqual({ succeeded: 6 })
    expect(all.slice(0, 2).map(({ isSignedIn }) => isSignedIn)).toEqual([true, true])
  })
})
