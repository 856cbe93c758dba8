import { expect, test } from 'vitest'
import { measureIndexing, getStalledMs } from './indexingDurations.ts'
import { observeDocuments, emptyWatch } from './indexingWatch.ts'

const MINUTE_MS = 60_000
const seen = (...looks: [string, number][]) =>
  looks.reduce(
    (watch, [indexing_status, at]) => observeDocuments(watch, [{ id: 'd', indexing_status }], at),
    emptyWatch,
  )

test('an indexing that was seen whole is measured once, however often it is looked at', () => {
  const watch = seen(['waiting', 1000], ['indexing', 3000], ['completed', 9000])
  const pace = measureIndexing({}, watch)
  expect(Object.values(pace)).toEqual([8000])
  expect(measureIndexing(pace, observeDocuments(watch, [{ id: 'd', indexing_status: 'completed' }], 20_000))).toBe(pace)
})

test('an indexing that was under way at the first look, or that failed, has no measure', () => {
  expect(measureIndexing({}, seen(['indexing', 1000], ['completed', 2000]))).toEqual({})
  expect(measureIndexing({}, seen(['waiting', 1000], ['error', 2000]))).toEqual({})
})

test('what has not changed for much longer than usual is stalled, and what is finished never is', () => {
  const [still] = seen(['waiting', 1], ['indexing', 1000]).documents
  const [done] = seen(['waiting', 1], ['completed', 1000]).documents
  if (!still || !done) throw new Error('nothing was watched')
  expect(getStalledMs(still, 40_000, 2 * MINUTE_MS)).toBeNull()
  expect(getStalledMs(still, 40_000, 9 * MINUTE_MS + 1000)).toBe(9 * MINUTE_MS)
  expect(getStalledMs(still, null, MINUTE_MS)).toBeNull()
  expect(getStalledMs(still, null, 3 * MINUTE_MS + 1000)).toBe(3 * MINUTE_MS)
  expect(getStalledMs(still, 10, 20_000)).toBeNull()
  expect(getStalledMs(done, 1000, 60 * MINUTE_MS)).toBeNull()
})
