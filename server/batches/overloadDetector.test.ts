import { expect, it } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { isOverloadSign, OverloadDetector } from './overloadDetector.ts'
import type { EndedRow } from './batchRows.ts'

const problem: Problem = { kind: 'refused', message: 'Internal Server Error', upstream: { status: 500, body: {} } }
const toRow = (number: number): EndedRow => ({
  number,
  run_id: String(number),
  outcome: {
    is: 'done',
    state: 'failed',
    problem,
    result: null,
    duration_ms: 1,
    tokens: null,
    price: null,
    currency: null,
  },
})
const outcomes = (rows: EndedRow[]) => rows.map(({ number, outcome }) => [number, outcome.is])

it('takes several rows that are answered 500 at the same time as too many at once', () => {
  const detector = new OverloadDetector()
  detector.hold(toRow(1), 0)
  expect(detector.release(10, false)).toEqual([])
  expect(detector.msUntilRelease(10)).toBe(990)
  detector.hold(toRow(2), 300)
  expect(outcomes(detector.release(300, false))).toEqual([
    [1, 'again'],
    [2, 'again'],
  ])
  // A straggler of the same burst.
  detector.hold(toRow(3), 900)
  expect(outcomes(detector.release(900, false))).toEqual([[3, 'again']])
})

it('lets a single row fail, at once where no other row is in flight', () => {
  const detector = new OverloadDetector()
  detector.hold(toRow(1), 0)
  expect(outcomes(detector.release(0, true))).toEqual([[1, 'done']])
  detector.hold(toRow(2), 5_000)
  expect(detector.release(5_999, false)).toEqual([])
  expect(outcomes(detector.release(6_000, false))).toEqual([[2, 'done']])
  expect([detector.release(9_000, true), detector.msUntilRelease(9_000)]).toEqual([[], null])
})

it('knows a bare 500 by its status alone', () => {
  expect(isOverloadSign(problem)).toBe(true)
  expect(isOverloadSign({ ...problem, upstream: { status: 400, body: {} } })).toBe(false)
  expect(isOverloadSign({ kind: 'cut', message: 'lost', upstream: { status: 500, body: null } })).toBe(false)
  expect(isOverloadSign(null)).toBe(false)
})
