import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import { FrameCoalescer } from './livePage.ts'

let sentMessages: LiveMessage[]
let frameCoalescer: FrameCoalescer
beforeEach(() => {
  vi.useFakeTimers()
  sentMessages = []
  frameCoalescer = new FrameCoalescer((message) => void sentMessages.push(message))
})
afterEach(() => void vi.useRealTimers())

const frame = (seq: number) => ({ seq, block: `data: ${seq}`, at: seq * 10 })
const frames = (run: string, ...seqs: number[]) => ({ run, frames: seqs.map((seq) => [seq, `data: ${seq}`, seq * 10]) })

test('a frame goes at once, and those that come within a picture go together', () => {
  frameCoalescer.addFrames('a', [frame(1)])
  expect(sentMessages).toEqual([frames('a', 1)])
  for (const seq of [2, 3, 4]) frameCoalescer.addFrames('a', [frame(seq)])
  frameCoalescer.addFrames('b', [frame(1), frame(2)])
  expect(sentMessages.length).toBe(1)
  expect(frameCoalescer.pendingChars).toBe(5 * 'data: 1'.length)
  vi.advanceTimersByTime(16)
  expect(sentMessages.slice(1)).toEqual([frames('a', 2, 3, 4), frames('b', 1, 2)])
  expect(frameCoalescer.pendingChars).toBe(0)
})

test('a stream that goes on is a message a picture; after a silence the next goes at once', () => {
  for (let seq = 1; seq <= 160; seq++) {
    frameCoalescer.addFrames('a', [frame(seq)])
    vi.advanceTimersByTime(2)
  }
  expect(sentMessages.length).toBeLessThan(25)
  vi.advanceTimersByTime(100)
  expect(sentMessages.flatMap((one) => ('frames' in one ? one.frames.map(([seq]) => seq) : []))).toEqual(
    Array.from({ length: 160 }, (_, index) => index + 1),
  )
  const before = sentMessages.length
  frameCoalescer.addFrames('a', [frame(161)])
  expect(sentMessages.length).toBe(before + 1)
})

test('what else is said stands behind the frames that came before it', () => {
  frameCoalescer.addFrames('a', [frame(1)])
  frameCoalescer.addFrames('a', [frame(2)])
  frameCoalescer.send({ run: 'a', live: true })
  frameCoalescer.addFrames('a', [frame(3)])
  frameCoalescer.send({ run: 'a', left: true })
  expect(sentMessages).toEqual([
    frames('a', 1),
    frames('a', 2),
    { run: 'a', live: true },
    frames('a', 3),
    { run: 'a', left: true },
  ])
})

test('of a run that the page has let go, and on a line that is closed, nothing more is said', () => {
  frameCoalescer.addFrames('a', [frame(1)])
  frameCoalescer.addFrames('a', [frame(2)])
  frameCoalescer.addFrames('b', [frame(1)])
  frameCoalescer.dropRun('a')
  vi.advanceTimersByTime(16)
  expect(sentMessages).toEqual([frames('a', 1), frames('b', 1)])
  frameCoalescer.addFrames('b', [frame(2)])
  frameCoalescer.close()
  vi.advanceTimersByTime(100)
  expect(sentMessages.length).toBe(2)
  expect(frameCoalescer.pendingChars).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
