import { expect, test } from 'vitest'
import { type Asked, questionsOf, rankOf, withRanks } from './questions.ts'

const asked: Asked = { query: 'Gap?', document_id: 'd', segment_id: 's', label: 'Gap', rank: null, before: null }

test('a rank counts from 1, a miss is 0', () => {
  const hits = [
    { document_id: 'd', segment_id: 'a' },
    { document_id: 'd', segment_id: 's' },
  ]
  expect(rankOf(hits, asked)).toBe(2)
  expect(rankOf(hits, { ...asked, segment_id: 'z' })).toBe(0)
  expect(rankOf(hits, { ...asked, segment_id: null })).toBe(1)
  expect(rankOf(hits, { document_id: 'other', segment_id: null })).toBe(0)
})

test('the ranks of the last run become those of before', () => {
  const [once] = withRanks([asked], [3])
  expect(once).toMatchObject({ rank: 3, before: null })
  expect(withRanks(once ? [once] : [], [1])[0]).toMatchObject({ rank: 1, before: 3 })
})

test('a kept value of another shape is an empty set', () => {
  expect(questionsOf({ questions: [asked] })).toEqual([asked])
  expect(questionsOf({ questions: 'none' })).toEqual([])
  expect(questionsOf(null)).toEqual([])
})
