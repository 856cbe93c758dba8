import { expect, test } from 'vitest'
import { look, nothingWatched, tookOf, wayOf } from './steps.ts'

const document = (indexing_status: string, error: string | null = null) => ({
  id: 'a',
  name: 'Manual',
  indexing_status,
  error,
})

test('a document is watched from the first look that finds it on its way', () => {
  expect(look(nothingWatched, [document('completed')], 1).documents).toEqual([])
  expect(look(nothingWatched, [document('parsing')], 1).documents).toHaveLength(1)
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
  const watch = looks.reduce((before, [status, at]) => look(before, [document(status)], at), nothingWatched)
  const [watched] = watch.documents
  if (!watched) throw new Error('not watched')
  expect(['waiting', 'parsing', 'cleaning', 'indexing', 'completed'].map((step) => tookOf(watched, step))).toEqual([
    1000,
    2500,
    null,
    1500,
    0,
  ])
})

test('the same look twice changes nothing', () => {
  const once = look(nothingWatched, [document('parsing')], 1)
  expect(look(once, [document('indexing')], 1)).toBe(once)
})

test('an error is kept with the step at which it came', () => {
  const watch = look(look(nothingWatched, [document('splitting')], 1), [document('error', 'no separator')], 2)
  expect(watch.documents[0]).toMatchObject({ status: 'error', error: 'no separator' })
  expect(watch.documents[0]?.seen.map(({ status }) => status)).toEqual(['splitting', 'error'])
})

test('a document that is indexed anew begins its way again', () => {
  const looks: [string, number][] = [
    ['waiting', 1000],
    ['completed', 2000],
    ['waiting', 60_000],
    ['indexing', 61_000],
  ]
  const [watched] = looks.reduce(
    (watch, [indexing_status, at]) => look(watch, [{ id: 'd', indexing_status }], at),
    nothingWatched,
  ).documents
  expect(watched?.seen).toEqual([
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
    (before, [status, at]) => look(before, [document(status)], at),
    nothingWatched,
  ).documents
  if (!watched) throw new Error('not watched')
  expect(wayOf(watched).map(({ step, place, took }) => [step, place, took])).toEqual([
    ['waiting', 'behind', 2000],
    ['parsing', 'behind', null],
    ['cleaning', 'behind', null],
    ['splitting', 'behind', 1500],
    ['error', 'error', null],
    ['indexing', 'ahead', null],
    ['completed', 'ahead', null],
  ])
})
