import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Frame } from '#contract/console/runs.ts'
import { toFrameRows } from './frameRows.ts'
import { summarizeFrames, toFrameBars } from './frameStatistics.ts'
import { emptyTable, growTable } from './frameTable.ts'

const makeTable = (events: readonly (readonly [string, number])[]) => {
  let at = 0
  const frames = events.map(([event, gap], index): Frame => {
    at += gap
    return { seq: index + 1, at, bytes: 9, block: `data: ${JSON.stringify({ event, answer: `w${index + 1}` })}` }
  })
  return growTable(emptyTable('chat.send', frames), frames.length)
}
const messages = (count: number) => Array.from({ length: count }, () => ['message', 20] as const)
const collapsedRows = { expanded: new Set<number>(), selected: null, filter: '' }

test('the summary names the longest gap and where it was', () => {
  const table = makeTable([
    ['ping', 840],
    ['message', 10],
    ['message', 1310],
    ['message', 30],
    ['message', 20],
  ])
  expect(summarizeFrames(table)).toEqual({
    median: 30,
    p95: 1310,
    longest: { seq: 3, gap: 1310 },
    rate: (4 / 1370) * 1000,
  })
  expect(summarizeFrames(makeTable([]))).toBeNull()
})

test('every frame stands under one bar, and a slow one is seen however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(140), { minLength: 1, maxLength: 300 }), fc.nat(), (gaps, place) => {
      const slow = place % gaps.length
      const table = makeTable(gaps.map((gap, index) => ['message', index === slow ? 900 : gap] as const))
      const bars = toFrameBars(table, 50)
      expect(bars.length).toBe(Math.min(50, gaps.length))
      expect(
        bars
          .flatMap(({ from, to }) => [from, to])
          .every((seq, index, all) => index === 0 || seq >= (all[index - 1] ?? 0)),
      ).toBe(true)
      expect([bars[0]?.from, bars.at(-1)?.to]).toEqual([1, gaps.length])
      expect(bars.find(({ from, to }) => from <= slow + 1 && slow + 1 <= to)?.kind).toBe('slow')
    }),
  )
})

test('a run of message frames folds, but for its last ones and the one that is selected', () => {
  const table = makeTable([['ping', 1], ...messages(59), ['message_end', 1]])
  const folded = toFrameRows(table, collapsedRows)
  expect(folded.slice(0, 3)).toEqual([1, { from: 2, to: 31 }, 32])
  expect(folded).toHaveLength(1 + 1 + 29 + 1)
  expect(toFrameRows(table, { ...collapsedRows, selected: 7 })).toHaveLength(61)
  expect(toFrameRows(table, { ...collapsedRows, expanded: new Set([2]) })).toHaveLength(61)
  expect(toFrameRows(table, { ...collapsedRows, expanded: 'all' })).toEqual(
    Array.from({ length: 61 }, (_, index) => index + 1),
  )
  expect(toFrameRows(makeTable(messages(20)), collapsedRows)).toHaveLength(20)
})

test('a search finds events by name and frames by their text', () => {
  const table = makeTable([['ping', 1], ...messages(59), ['message_end', 1]])
  expect(toFrameRows(table, { ...collapsedRows, filter: 'event:message w12' })).toEqual([12])
  expect(toFrameRows(table, { ...collapsedRows, filter: 'EVENT:message_end' })).toEqual([61])
  expect(toFrameRows(table, { ...collapsedRows, filter: 'nowhere' })).toEqual([])
})
