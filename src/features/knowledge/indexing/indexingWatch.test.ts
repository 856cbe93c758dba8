import { expect, test } from 'vitest'
import {
  observeDocuments,
  emptyWatch,
  getStatusDurationMs,
  toIndexingSteps,
  measureIndexing,
  getStalledMs,
} from './indexingWatch.ts'

const document = (indexing_status: string, error: string | null = null) => ({
  id: 'a',
  name: 'Manual',
  indexing_status,
  error,
})

test('a document is watched from the first look that finds it on its way', () => {
  expect(observeDocuments(emptyWatch, [document('completed')], 1).documents).toEqual([])
  expect(observeDocuments(emptyWatch, [document('parsing')], 1).documents).toHaveLength(1)
})

test('each step has the time between the looks that saw it begin and end', () => {
  const looks: [string, number][] = [
    ['waiting', 1000],
    ['parsing', 2000],
    ['parsing', 3000],
    ['indexing', 4500],
    ['completed', 6000],
    ['completed', 9000],
  ]
  const watch = looks.reduce((before, [status, at]) => observeDocuments(before, [document(status)], at), emptyWatch)
  const [watched] = watch.documents
  if (!watched) throw new Error('not watched')
  expect(
    ['waiting', 'parsing', 'cleaning', 'indexing', 'completed'].map((step) => getStatusDurationMs(watched, step)),
  ).toEqual([1000, 2500, null, 1500, 0])
})

test('a document that is indexed again begins its way again', () => {
  const looks: [string, number][] = [
    ['waiting', 1000],
    ['completed', 2000],
    ['waiting', 60_000],
    ['indexing', 61_000],
  ]
  const [watched] = looks.reduce(
    (watch, [indexing_status, at]) => observeDocuments(watch, [{ id: 'd', indexing_status }], at),
    emptyWatch,
  ).documents
  expect(watched?.observedStatuses).toEqual([
    { status: 'waiting', at: 60_000 },
    { status: 'indexing', at: 61_000 },
  ])
})

test('the way shows a status that is no step where it was seen, and times only what was seen', () => {
  const looks: [string, number][] = [
    ['waiting', 1000],
    ['splitting', 3000],
    ['error', 4500],
  ]
  const [watched] = looks.reduce(
    (before, [status, at]) => observeDocuments(before, [document(status)], at),
    emptyWatch,
  ).documents
  if (!watched) throw new Error('not watched')
  expect(toIndexingSteps(watched).map(({ step, position, durationMs }) => [step, position, durationMs])).toEqual([
    ['waiting', 'behind', 2000],
    ['parsing', 'behind', null],
    ['cleaning', 'behind', null],
    ['splitting', 'behind', 1500],
    ['error', 'error', null],
    ['indexing', 'ahead', null],
    ['completed', 'ahead', null],
  ])
})

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
