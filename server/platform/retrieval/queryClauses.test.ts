import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toQueryClauses, toRelaxedClauses, idfWeights } from './queryClauses.ts'
import { toTermVector, hashTerm, toDatasetMarker, toQueryTerms } from './termVector.ts'
import { mergeStatistics } from './termStatistics.ts'

const toStatistics = (passages: number, shares: Record<number, number>, exact = false) => ({
  exact,
  passages,
  words: 100,
  shares: new Map(Object.entries(shares).map(([term, share]): [number, number] => [Number(term), share])),
})

describe('weigh', () => {
  it('puts the rarest terms first, and gives them the most weight', () => {
    const { terms: weighed } = idfWeights([1, 2, 3], toStatistics(1000, { 1: 0.9, 2: 0.1 }))
    expect(weighed.map(({ term }) => term)).toEqual([3, 2, 1])
    const weights = weighed.map(({ weight }) => weight)
    expect(weights).toEqual([...weights].sort((one, other) => other - one))
    for (const weight of weights) expect(weight).toBeGreaterThan(0)
  })

  it('does not look for terms that stand nowhere, but weighs them', () => {
    const known = toStatistics(100, { 1: 0.5 }, true)
    const alone = idfWeights([1], known)
    const beside = idfWeights([1, 2, 3], known)
    expect(beside.terms).toEqual(alone.terms)
    expect(beside.totalWeight).toBeGreaterThan(alone.totalWeight)
  })
})

describe('armsOf', () => {
  const armed = (passages: number, shares: Record<number, number>) =>
    toQueryClauses(idfWeights(Object.keys(shares).map(Number), toStatistics(passages, shares)).terms, passages)

  it('looks at all passages with a rare term, and at those with two that are frequent', () => {
    expect(armed(100_000, { 1: 0.0029, 2: 0.02, 3: 0.03, 4: 0.9 })).toEqual([[1]])
    expect(armed(100_000, { 1: 0.0001, 2: 0.02, 3: 0.03, 4: 0.9 })).toEqual([[1], [2, 3]])
    expect(armed(100, { 1: 0.5, 2: 0.9 })).toEqual([[1], [2]])
  })

  it('takes frequent terms together when any two are still too many', () => {
    expect(armed(1_000_000, { 1: 0.1, 2: 0.1, 3: 0.1, 4: 0.5 })).toEqual([[1, 2, 3, 4]])
    expect(armed(1_000_000, { 1: 0.5 })).toEqual([[1]])
  })

  it('never looks at nothing, nor at everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.dictionary(fc.integer({ min: 1, max: 50 }).map(String), fc.double({ min: 0, max: 1, noNaN: true }), {
          minKeys: 1,
        }),
        (passages, shares) => {
          const arms = armed(passages, shares)
          expect(arms.length).toBeGreaterThan(0)
          expect(arms.length).toBeLessThanOrEqual(8)
          for (const arm of arms) expect(arm.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('falls back to the rarest terms alone', () => {
    expect(toRelaxedClauses(idfWeights([1, 2, 3, 4], toStatistics(10, {})).terms)).toHaveLength(3)
  })
})

describe('bagOf', () => {
  const standing = { dataset_id: 'd', title: 'On relays' }

  it('has the words of the text, of its title, single characters and the marker of the dataset', () => {
    const { terms, length } = toTermVector('The relay carries 请求', standing)
    expect(length).toBe(3)
    const words = ['relay', 'carry', '请求', '请', '求'].map((word) => toQueryTerms(word)[0])
    for (const word of words) expect(terms).toContain(word)
    expect(terms[0]).toBe(toDatasetMarker('d'))
  })

  it('counts a word that is repeated, up to a bound', () => {
    const { terms } = toTermVector('echo '.repeat(100), standing)
    const [echo] = toQueryTerms('echo')
    expect(terms.filter((term) => term === echo)).toHaveLength(8)
  })

  it('hashes into the range of a PostgreSQL integer', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        const hash = hashTerm(word)
        expect(Number.isInteger(hash) && hash >= -(2 ** 31) && hash < 2 ** 31).toBe(true)
      }),
    )
    expect(new Set(Array.from({ length: 50_000 }, (_, index) => hashTerm(`word${index}`))).size).toBeGreaterThan(49_990)
  })
})

describe('merge', () => {
  it('weighs datasets by their size', () => {
    const merged = mergeStatistics([toStatistics(900, { 1: 0.1 }), toStatistics(100, { 1: 1 })])
    expect(merged.passages).toBe(1000)
    expect(merged.shares.get(1)).toBeCloseTo(0.19)
  })
})
