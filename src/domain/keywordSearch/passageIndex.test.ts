import { expect, it } from 'vitest'
import { PassageIndex, type IndexedPassage } from './passageIndex.ts'
import { toTermVector } from './termVector.ts'

const toPassage = (segment_id: string, text: string): IndexedPassage => ({
  id: segment_id,
  segment_id,
  ...toTermVector(text, { dataset_id: 'd', title: 'Guide' }),
})
const TEXTS = {
  quota: 'Quotas are counted per workspace and hour.',
  relay: 'The relay sends each request once.',
  ledger: 'The ledger keeps each request of the relay.',
  cats: 'Cats sleep.',
}
const createIndex = (passages: readonly IndexedPassage[]): PassageIndex => {
  const created = new PassageIndex()
  for (const passage of passages) created.add(passage)
  return created
}
const index = createIndex(Object.entries(TEXTS).map(([id, text]) => toPassage(id, text)))
const find = (query: string, changes?: Parameters<PassageIndex['search']>[2]) =>
  index.search(query, 10, changes).map(({ segment_id }) => segment_id)

it('ranks by the words that tell most, in any form, and finds nothing where no word is', () => {
  expect(find('How is the quota of a workspace counted?')).toEqual(['quota'])
  expect(find('Who keeps the requests of the relay?')[0]).toBe('ledger')
  expect(find('volcano')).toEqual([])
  expect(index.search('relay', 1)).toHaveLength(1)
})

it('searches changed passages in place of those they replace, as if they were its own', () => {
  const changes = { hidden: new Set(['quota']), added: [toPassage('quota', 'Cats are counted by the relay.')] }
  const rebuilt = createIndex([
    ...Object.entries(TEXTS)
      .filter(([id]) => id !== 'quota')
      .map(([id, text]) => toPassage(id, text)),
    ...changes.added,
  ])
  for (const query of ['workspace', 'Which cats are counted?', 'the relay'])
    expect(index.search(query, 10, changes)).toEqual(rebuilt.search(query, 10))
  expect(find('workspace', changes)).toEqual([])
})

it('gives a segment the score of its best child chunk', () => {
  const parent = createIndex([
    { ...toPassage('parent', 'Cats sleep.'), id: 'first' },
    { ...toPassage('parent', 'The relay sends each request.'), id: 'second' },
  ])
  expect(parent.search('relay', 5)).toEqual([expect.objectContaining({ id: 'second', segment_id: 'parent' })])
})
