import { expect, it } from 'vitest'
import { findDisagreements, readRecordedPairs } from './promptfooAgreement.ts'

it('decides 1,000 generated pairs of a check and an answer as promptfoo does', () => {
  const pairs = readRecordedPairs()
  expect(pairs).toHaveLength(1_000)
  expect(new Set(pairs.map(({ check }) => check.type.replace('not-', ''))).size).toBe(14)
  expect(pairs.filter(({ pass }) => pass).length).toBeGreaterThan(300)
  expect(pairs.filter(({ pass }) => !pass).length).toBeGreaterThan(300)
  expect(findDisagreements(pairs)).toEqual([])
})
