import { describe, expect, it } from 'vitest'
import { canMount, fillDisk } from './kill/full-disk.ts'

// A disk that can be filled is a mount, and a mount needs root.
if (canMount())
  describe('a Loupe whose disk is full', () => {
    it('takes nothing new, lets people work with what is there, and goes on by itself when there is room', async () => {
      const { problems, posted, worked, ends } = await fillDisk({ size: 160, left: 40, streams: 6 })
      expect(problems).toEqual([])
      expect(posted).toBe(507)
      expect(worked).toEqual([200, 200, 200, 200])
      // The floor is the room of those that are under way.
      expect(ends).toEqual({ succeeded: 6 })
    }, 180_000)
  })
