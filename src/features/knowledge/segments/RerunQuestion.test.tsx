import { expect, test } from 'vitest'
import { compareSourceRanks } from './RerunQuestion.tsx'

test('each source has its rank and score before and after, and what fell out comes last', () => {
  const one = { segment_id: 'one', document_name: 'Manual', segment_position: 3, score: 0.4 }
  const two = { segment_id: 'two', document_name: 'Warranty', score: null }
  expect(compareSourceRanks([one, two], [{ ...one, score: 0.9 }])).toEqual([
    { segment_id: 'one', name: 'Manual · 3', before: { rank: 1, score: 0.4 }, after: { rank: 1, score: 0.9 } },
    { segment_id: 'two', name: 'Warranty', before: { rank: 2, score: null }, after: null },
  ])
})

test('a source without a segment is not compared', () => {
  expect(compareSourceRanks([{ document_name: 'Nameless' }], [])).toEqual([])
})
