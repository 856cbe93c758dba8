import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveMessage } from '#contract/live.ts'
import { Outbox } from './outbox.ts'

let said: LiveMessage[]
let outbox: Outbox
beforeEach(() => {
  vi.useFakeTimers()
  said = []
  outbox = new Outbox((message) => void said.push(message))
})
afterEach(() => void vi.useRealTimers())

const frame = (seq: number) => ({ seq, block: `data: ${seq}` })
const frames = (run: string, ...seqs: number[]) => ({ run, frames: seqs.map((seq) => [seq, `data: ${seq}`]) })

test('a frame goes at once, and those that come within a picture go together', () => {
  outbox.frames('a', [frame(1)])
  expect(said).toEqual([frames('a', 1)])
  for (const seq of [2, 3, 4]) outbox.frames('a', [frame(seq)])
  outbox.frames('b', [frame(1), frame(2)])
  expect(said.length).toBe(1)
  expect(outbox.waiting).toBe(5 * 'data: 1'.length)
  vi.advanceTimersByTime(16)
  expect(said.slice(1)).toEqual([frames('a', 2, 3, 4), frames('b', 1, 2)])
  expect(outbox.waiting).toBe(0)
})

test('a stream that goes on is a message a picture; after a silence the next goes at once', () => {
  for (let seq = 1; seq <= 160; seq++) {
    outbox.frames('a', [frame(seq)])
    vi.advanceTimersByTime(2)
  }
  expect(said.length).toBeLessThan(25)
  vi.advanceTimersByTime(100)
  expect(said.flatMap((one) => ('frames' in one ? one.frames.map(([seq]) => seq) : []))).toEqual(
    Array.from({ length: 160 }, (_, index) => index + 1),
  )
  const before = said.length
  outbox.frames('a', [frame(161)])
  expect(said.length).toBe(before + 1)
})

test('what else is said stands behind the frames that came before it', () => {
  outbox.frames('a', [frame(1)])
  outbox.frames('a', [frame(2)])
  outbox.say({ run: 'a', live: true })
  outbox.frames('a', [frame(3)])
  outbox.say({ run: 'a', left: true })
  expect(said).toEqual([
    frames('a', 1),
    frames('a', 2),
    { run: 'a', live: true },
    frames('a', 3),
    { run: 'a', left: true },
  ])
})

test('of a run that the page has let go, and on a line that is closed, nothing more is said', () => {
  outbox.frames('a', [frame(1)])
  outbox.frames('a', [frame(2)])
  outbox.frames('b', [frame(1)])
  outbox.drop('a')
  vi.advanceTimersByTime(16)
  expect(said).toEqual([frames('a', 1), frames('b', 1)])
  outbox.frames('b', [frame(2)])
  outbox.close()
  vi.advanceTimersByTime(100)
  expect(said.length).toBe(2)
  expect(outbox.waiting).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
