import { expect, it } from 'vitest'
import { overlapLength } from './overlaps.ts'

it('measures what one segment ends with and the next begins with', () => {
  const repeated = 'the relay keeps every frame'
  expect(overlapLength(`A long way before, ${repeated}`, `${repeated} and its time.`)).toBe(repeated.length)
  expect(overlapLength(`${repeated} \n`, `\n ${repeated}`)).toBe(repeated.length)
})

it('does not take a repeated beginning in the middle for an overlap', () => {
  expect(overlapLength('The relay keeps every frame, and then it ends.', 'The relay keeps every frame of it.')).toBe(0)
  expect(overlapLength('', '')).toBe(0)
  expect(overlapLength('a', 'b')).toBe(0)
})
