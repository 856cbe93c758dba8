import { expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { fillDisk } from './diskFull.ts'

// A disk that can be filled is a mount.
describeWith(requirements.mounts)('a Loupe whose disk is full', () => {
  it('takes nothing new, lets people work with what is there, and goes on by itself when there is room', async () => {
    const { problems, posted, worked, ends } = await fillDisk({ size: 160, left: 40, streams: 3, fullMs: 500 })
    expect(problems).toEqual([])
    expect(posted).toBe(507)
    expect(worked).toEqual([200, 200, 200, 200])
    // The floor is the room of those that are under way.
    expect(ends).toEqual({ succeeded: 3 })
  })
})
