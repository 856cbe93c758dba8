import { expect, test } from 'vitest'
import { getTermOverlap, createTermWeights, extractTerms } from './terms.ts'

test('words are cut to what their forms share, common ones are left out', () => {
  expect(extractTerms('How are the documents INDEXED, and indexing?')).toEqual(['document', 'index', 'index'])
  expect(extractTerms('policies policy classes class running runs')).toEqual([
    'policy',
    'policy',
    'clas',
    'clas',
    'run',
    'run',
  ])
  expect(extractTerms('ＷＩＤＥ width, naïve 42')).toEqual(['wid', 'width', 'naïve', '42'])
})

test('Chinese and Japanese are pairs of neighbours, common pairs left out', () => {
  expect(extractTerms('绿茶怎么泡')).toEqual(['绿茶', '茶怎', '么泡'])
  expect(extractTerms('茶 tea')).toEqual(['茶', 'tea'])
})

test('a rare term tells more than one that stands everywhere, and an unknown one most', () => {
  const tells = createTermWeights([new Set(['tea', 'green']), new Set(['tea']), new Set(['tea'])])
  expect(tells('tea')).toBeLessThan(tells('green'))
  expect(tells('green')).toBeLessThan(tells('moon'))
})

test('overlap is 1 for the same terms and 0 for none in common', () => {
  expect(getTermOverlap(new Set(['a', 'b']), new Set(['b', 'a']))).toBe(1)
  expect(getTermOverlap(new Set(['a']), new Set(['b']))).toBe(0)
  expect(getTermOverlap(new Set(), new Set())).toBe(0)
})
