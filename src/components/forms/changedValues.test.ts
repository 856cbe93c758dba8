import { expect, test } from 'vitest'
import { applyChangedValues, pickChangedValues } from './changedValues.ts'

const base = { name: 'Notes', description: '', members: ['a'], retrieval: { top_k: 4, weights: { keyword: 0.3 } } }

test('only what was changed is picked, at any depth, and lists are whole', () => {
  const values = { ...base, members: ['a', 'b'], retrieval: { top_k: 6, weights: { keyword: 0.3 } } }
  expect(pickChangedValues(values, base)).toEqual({ members: ['a', 'b'], retrieval: { top_k: 6 } })
  expect(pickChangedValues(base, base)).toEqual({})
})

test('changes apply to values that were changed elsewhere meanwhile', () => {
  const now = { ...base, name: 'Pilot notes', retrieval: { top_k: 4, weights: { keyword: 0.7 } } }
  expect(applyChangedValues(now, { description: 'Kept', retrieval: { top_k: 6 } })).toEqual({
    ...now,
    description: 'Kept',
    retrieval: { top_k: 6, weights: { keyword: 0.7 } },
  })
})
