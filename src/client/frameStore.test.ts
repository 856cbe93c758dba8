import { expect, test } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import type { Frame } from '#contract/console/runs.ts'
import { FIRST_FRAME_PAGE_SIZE, FrameStore, FRAME_PAGE_SIZE } from './frameStore.ts'

const frame = (seq: number): Frame => ({ seq, at: seq, bytes: 1, block: `data: ${seq}` })
const whenIdle = () => new Promise((resolve) => setTimeout(resolve))

/** A server that has so many frames of a run, and what it was asked. */
function server(has: () => number, maxPageSize = FRAME_PAGE_SIZE) {
  const asked: number[] = []
  const pauses: number[] = []
  const store = new FrameStore({
    read: async (_run_id, after, limit) => {
      asked.push(after)
      const length = Math.min(limit, maxPageSize, has() - after)
      return { data: Array.from({ length }, (_, index) => frame(after + index + 1)), total: has() }
    },
    pause: async (ms) => void pauses.push(ms),
  })
  return { store, asked, pauses }
}

test('all frames are read in pages, in order, and each but once', async () => {
  const { store, asked } = server(() => 2 * FRAME_PAGE_SIZE + 7)
  store.subscribe('a', () => undefined)
  store.load('a', 2 * FRAME_PAGE_SIZE + 7)
  store.load('a', 2 * FRAME_PAGE_SIZE + 7)
  await whenIdle()
  const { frames, count, isReading } = store.view('a')
  expect(count).toBe(2 * FRAME_PAGE_SIZE + 7)
  expect(frames.every(({ seq }, index) => seq === index + 1)).toBe(true)
  expect(asked).toEqual([0, FIRST_FRAME_PAGE_SIZE, FIRST_FRAME_PAGE_SIZE + FRAME_PAGE_SIZE])
  expect(isReading).toBe(false)
})

test('where pages end early while the next ones are asked for already, none is missing and none twice', async () => {
  const { store } = server(() => 3 * FRAME_PAGE_SIZE, FRAME_PAGE_SIZE - 1)
  store.subscribe('a', () => undefined)
  store.load('a', 3 * FRAME_PAGE_SIZE)
  await whenIdle()
  const { frames } = store.view('a')
  expect(frames).toHaveLength(3 * FRAME_PAGE_SIZE)
  expect(frames.every(({ seq }, index) => seq === index + 1)).toBe(true)
})

test('a run that goes on is read on from where it was', async () => {
  let has = 3
  const { store, asked } = server(() => has)
  const counts: number[] = []
  store.subscribe('a', () => counts.push(store.view('a').count))
  store.load('a', 3)
  await whenIdle()
  has = 5
  store.load('a', 5)
  await whenIdle()
  expect(store.view('a').count).toBe(5)
  expect(asked).toEqual([0, 3])
  expect(counts.at(-1)).toBe(5)
})

test('a server that has fewer than the line said is not asked for ever', async () => {
  const { store, asked } = server(() => 2)
  store.subscribe('a', () => undefined)
  store.load('a', 9)
  await whenIdle()
  expect(asked).toEqual([0, 2])
  expect(store.view('a')).toMatchObject({ count: 2, isReading: false, problem: null })
})

test('a refusal is told, keeps what came, and another want tries again', async () => {
  let fails = true
  const store = new FrameStore({
    read: async () => {
      if (fails) throw new ProblemError({ kind: 'unreachable', message: 'no answer' })
      return { data: [frame(1)], total: 1 }
    },
    pause: async () => undefined,
  })
  store.subscribe('a', () => undefined)
  store.load('a', 1)
  await whenIdle()
  expect(store.view('a').problem?.message).toBe('no answer')
  fails = false
  store.load('a', 1)
  await whenIdle()
  expect(store.view('a')).toMatchObject({ count: 1, problem: null })
})

test('frames of runs that nobody looks at are let go, but for the last ones', async () => {
  const { store } = server(() => 1)
  for (const run_id of ['a', 'b', 'c', 'd', 'e']) {
    const leave = store.subscribe(run_id, () => undefined)
    store.load(run_id, 1)
    await whenIdle()
    leave()
  }
  store.load('f', 0)
  expect(['a', 'b', 'c', 'd', 'e'].map((run_id) => store.view(run_id).count)).toEqual([0, 0, 0, 1, 1])
})
