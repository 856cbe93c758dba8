import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

/** A batcher of numbers whose batches end when the test says so. */
function createNumberBatcher() {
  const pending: number[] = []
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const batcher = new Batcher(
    () => pending.length > 0,
    () => {
      batches.push(pending.splice(0))
      return new Promise((resolve) => ends.push(resolve))
    },
  )
  const add = (...items: number[]) => {
    pending.push(...items)
    batcher.runSoon()
  }
  return { batcher, batches, add, endBatch: () => ends.shift()?.() }
}

test('the first item is taken at once, and those that arrive meanwhile form one batch', async () => {
  const { batcher, batches, add, endBatch } = createNumberBatcher()
  add(1)
  expect(batches).toEqual([[1]])
  add(2)
  add(3, 4)
  expect(batches).toEqual([[1]])
  endBatch()
  await expect.poll(() => batches).toEqual([[1], [2, 3, 4]])
  endBatch()
  await batcher.whenIdle()
  add(5)
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('it is idle only when nothing is pending', async () => {
  const { batcher, batches, add, endBatch } = createNumberBatcher()
  await batcher.whenIdle()
  add(1)
  add(2)
  let isIdle = false
  const idle = batcher.whenIdle().then(() => (isIdle = true))
  endBatch()
  await expect.poll(() => batches).toHaveLength(2)
  expect(isIdle).toBe(false)
  endBatch()
  await idle
  expect(batches).toEqual([[1], [2]])
})
