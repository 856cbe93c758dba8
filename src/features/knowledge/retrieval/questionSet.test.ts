import { expect, test } from 'vitest'
import { type QuestionSetItem, parseQuestions, findRank, applyRanks } from './questionSet.ts'

const asked: QuestionSetItem = {
  query: 'Gap?',
  document_id: 'd',
  segment_id: 's',
  label: 'Gap',
  rank: null,
  before: null,
}

test('a rank counts from 1, a miss is 0', () => {
  const hits = [
    { document_id: 'd', segment_id: 'a' },
    { document_id: 'd', segment_id: 's' },
  ]
  expect(findRank(hits, asked)).toBe(2)
  expect(findRank(hits, { ...asked, segment_id: 'z' })).toBe(0)
  expect(findRank(hits, { ...asked, segment_id: null })).toBe(1)
  expect(findRank(hits, { document_id: 'other', segment_id: null })).toBe(0)
})

test('the ranks of the last run become those of before', () => {
  const [once] = applyRanks([asked], [3])
  expect(once).toMatchObject({ rank: 3, before: null })
  expect(applyRanks(once ? [once] : [], [1])[0]).toMatchObject({ rank: 1, before: 3 })
})

test('a kept value of another shape is an empty set', () => {
  expect(parseQuestions({ questions: [asked] })).toEqual([asked])
  expect(parseQuestions({ questions: 'none' })).toEqual([])
  expect(parseQuestions(null)).toEqual([])
})
