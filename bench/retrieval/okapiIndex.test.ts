import { expect, test } from 'vitest'
import { createSegmenterTokenizer, createTextbookTokenizer, isUnspaced } from './baselineTokenizers.ts'
import { createOkapiIndex } from './okapiIndex.ts'

const words = (text: string) => text.split(' ')

test('rare terms weigh more than frequent ones, and short documents more than long ones', () => {
  const search = createOkapiIndex(
    [
      { id: 'frequent', text: 'sea sea sea' },
      { id: 'rare', text: 'sea whale bird' },
      { id: 'long', text: 'sea whale bird sand salt wind rain snow' },
      { id: 'other', text: 'sand' },
    ],
    words,
  )
  expect(search('sea whale')).toEqual(['rare', 'long', 'frequent'])
  expect(search('salt')).toEqual(['long'])
  expect(search('moon')).toEqual([])
})

test('a term weighs as often as the query has it', () => {
  const search = createOkapiIndex(
    [
      { id: 'first', text: 'a b' },
      { id: 'second', text: 'a c' },
    ],
    words,
  )
  expect(search('b c c')).toEqual(['second', 'first'])
})

test('the textbook terms: Porter and stop words for English, words else, pairs in scripts without spaces', () => {
  expect(createTextbookTokenizer('en')('The heated wings of an aircraft, 1958')).toEqual([
    'heat',
    'wing',
    'aircraft',
    '1958',
  ])
  expect(createTextbookTokenizer('de')('Die Häuser')).toEqual(['die', 'häuser'])
  expect(createTextbookTokenizer('zh-Hant')('ＮＦＬ聯盟的')).toEqual(['nfl', '聯盟', '盟的'])
  expect(createTextbookTokenizer('hi')('हिन्दी में')).toEqual(['हिन्दी', 'में'])
  expect(createTextbookTokenizer('th')('ภาษา')).toEqual(['ภา', 'าษ', 'ษา'])
})

test('words of scripts without spaces are those of ICU', () => {
  expect(createSegmenterTokenizer('ja')('東京は首都です。')).toEqual(['東京', 'は', '首都', 'です'])
  expect(isUnspaced('東京は NFL')).toBe(false)
  expect(isUnspaced('東京は首都です NFL')).toBe(true)
})
