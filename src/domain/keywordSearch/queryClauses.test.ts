import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toQueryClauses, toRelaxedClauses, weighTerms } from './queryClauses.ts'
import type { QueryTerm } from './termVector.ts'

const toStatistics = (passages: number, counts: Record<number, number>, exact = true) => ({
  exact,
  passages,
  words: 100,
  counts: new Map(Object.entries(counts).map(([term, count]): [number, number] => [Number(term), count])),
})
const toTerm = (hash: number, more: Partial<QueryTerm> = {}): QueryTerm => ({
  hash,
  field: 'text',
  weight: 1,
  isCovering: true,
  unspaced: false,
  ...more,
})
const toTerms = (...hashes: number[]) => hashes.map((hash) => toTerm(hash))

describe('weighTerms', () => {
  it('puts the rarest terms first, and gives them the most weight', () => {
    const { terms } = weighTerms(toTerms(1, 2, 3), toStatistics(1000, { 1: 900, 2: 100, 3: 2 }))
    expect(terms.map(({ hash }) => hash)).toEqual([3, 2, 1])
    const weights = terms.map(({ weight }) => weight)
    expect(weights).toEqual([...weights].sort((one, other) => other - one))
    for (const weight of weights) expect(weight).toBeGreaterThan(0)
  })

  it('does not look for terms that stand nowhere, but weighs them', () => {
    const statistics = toStatistics(100, { 1: 50 })
    const alone = weighTerms(toTerms(1), statistics)
    const beside = weighTerms(toTerms(1, 2, 3), statistics)
    expect(beside.terms).toEqual(alone.terms)
    expect(beside.totalWeight).toBeGreaterThan(alone.totalWeight)
  })

  it('looks for a term of unknown frequency while the counts are estimates', () => {
    const { terms } = weighTerms([toTerm(1), toTerm(2, { field: 'title' })], toStatistics(1000, {}, false))
    expect(terms.map(({ hash }) => hash)).toEqual([1])
  })

  it('scores the weightiest of very many terms', () => {
    const hashes = Array.from({ length: 200 }, (_, index) => index + 1)
    const counts = Object.fromEntries(hashes.map((hash) => [hash, hash]))
    const { terms } = weighTerms(toTerms(...hashes), toStatistics(1000, counts))
    expect(terms.map(({ hash }) => hash)).toEqual(hashes.slice(0, 64))
  })
})

describe('toQueryClauses', () => {
  const toClauses = (passages: number, counts: Record<number, number>) =>
    toQueryClauses(
      weighTerms(toTerms(...Object.keys(counts).map(Number)), toStatistics(passages, counts)).terms,
      passages,
    )

  it('looks at all passages with a rare term, and at those with two that are frequent', () => {
    expect(toClauses(100_000, { 1: 290, 2: 2000, 3: 3000, 4: 90_000 })).toEqual([[1]])
    expect(toClauses(100_000, { 1: 10, 2: 2000, 3: 3000, 4: 90_000 })).toEqual([[1], [2, 3]])
    expect(toClauses(100, { 1: 50, 2: 90 })).toEqual([[1], [2]])
  })

  it('takes frequent terms together when any two are still too many', () => {
    expect(toClauses(1_000_000, { 1: 100_000, 2: 100_000, 3: 100_000, 4: 500_000 })).toEqual([[1, 2, 3, 4]])
    expect(toClauses(1_000_000, { 1: 500_000 })).toEqual([[1]])
  })

  it('leaves out terms whose passages another term of the same word finds', () => {
    const statistics = toStatistics(1000, { 1: 5, 2: 8 })
    const { terms } = weighTerms([toTerm(1, { isCovering: false }), toTerm(2)], statistics)
    expect(toQueryClauses(terms, 1000)).toEqual([[2]])
  })

  it('never looks at nothing, nor at everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.dictionary(fc.integer({ min: 1, max: 50 }).map(String), fc.double({ min: 0.000_001, max: 1, noNaN: true }), {
          minKeys: 1,
        }),
        (passages, shares) => {
          const counts = Object.entries(shares).map(([term, share]) => [term, Math.ceil(share * passages)])
          const clauses = toClauses(passages, Object.fromEntries(counts) as Record<number, number>)
          expect(clauses.length).toBeGreaterThan(0)
          for (const clause of clauses) expect(clause.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('falls back to the rarest terms alone', () => {
    const { terms } = weighTerms(toTerms(1, 2, 3, 4), toStatistics(10, { 1: 1, 2: 2, 3: 3, 4: 4 }))
    expect(toRelaxedClauses(terms)).toEqual([[1], [2], [3], [4]])
  })
})
