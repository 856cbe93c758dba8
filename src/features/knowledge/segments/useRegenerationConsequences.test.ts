import { expect, it } from 'vitest'
import { listRegenerationLosses } from './useRegenerationConsequences.ts'

const chunk = (content: string, type?: string) => ({ id: content, content, ...(type ? { type } : {}) })

it('lists child chunks that were edited by hand before the generated ones, under their numbers', () => {
  const { listed, unlistedCount } = listRegenerationLosses([
    chunk('First.', 'automatic'),
    chunk('Second,\n edited.', 'customized'),
    chunk('Third.'),
  ])
  expect(listed).toEqual([
    { number: 2, quote: 'Second, edited.', isByHand: true },
    { number: 1, quote: 'First.', isByHand: false },
    { number: 3, quote: 'Third.', isByHand: false },
  ])
  expect(unlistedCount).toBe(0)
})
