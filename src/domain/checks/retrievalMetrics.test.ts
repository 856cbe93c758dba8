import { describe, expect, it } from 'vitest'
import { evaluateCheck, toOutcome } from './evaluateCheck.ts'
import { findMaxMetricDifference } from './rankingOracle.testing.ts'
import { findFirstRank, measureRetrieval, toRelevantItems } from './retrievalMetrics.ts'

const toPassages = (ids: readonly string[]) =>
  ids.map((segment_id) => ({ segment_id, document_id: `doc ${segment_id}`, score: null }))

describe('measures of a ranking', () => {
  it('agree with the definitions on 10,000 rankings', () => {
    expect(findMaxMetricDifference(10_000)).toBeLessThan(1e-9)
  })

  it('count a document once, by the first of its segments', () => {
    const found = [
      { segment_id: 'a', document_id: 'other' },
      { segment_id: 'b', document_id: 'wanted' },
      { segment_id: 'c', document_id: 'wanted' },
    ]
    const relevant = toRelevantItems({ documents: [{ id: 'wanted' }] })
    expect(findFirstRank(found, relevant)).toBe(2)
    expect(measureRetrieval(found, relevant, undefined)).toEqual({
      hit: 1,
      mrr: 1 / 2,
      ndcg: 1 / Math.log2(3),
      recall: 1,
      precision: 2 / 3,
    })
  })
})

describe('a check of retrieval', () => {
  const found = toPassages(['a', 'b', 'c'])
  const expected = { segments: [{ id: 'b' }, { id: 'z' }] }
  it.each([
    [{ type: 'hit@k', k: 1 }, 'fail'],
    [{ type: 'not-hit@k', k: 1 }, 'pass'],
    [{ type: 'recall@k' }, 'fail'],
    [{ type: 'recall@k', threshold: 0.5 }, 'pass'],
    [{ type: 'precision@k', threshold: 1 / 3 }, 'pass'],
    [{ type: 'mrr', threshold: 0.5 }, 'pass'],
    [{ type: 'ndcg@k', threshold: 0.6 }, 'fail'],
    [{ type: 'cites', value: ['a', 'doc c'] }, 'pass'],
    [{ type: 'cites' }, 'fail'],
    [{ type: 'cites', value: 7 }, 'error'],
    [{ type: 'score-at-least', value: 0.5 }, 'error'],
  ] as const)('%j is a %s', (check, verdict) => {
    expect(
      evaluateCheck({ ...check } as Parameters<typeof evaluateCheck>[0], { expected, found, run: null }).verdict,
    ).toBe(verdict)
  })

  it('that cannot be decided is an error, also when it is negated', () => {
    const nothing = { expected: {}, found, run: null }
    expect(evaluateCheck({ type: 'hit@k' }, nothing).verdict).toBe('error')
    expect(evaluateCheck({ type: 'not-hit@k' }, nothing).verdict).toBe('error')
    expect(evaluateCheck({ type: 'hit@k' }, { expected, found: null, run: null }).verdict).toBe('error')
  })

  it('fails a result whatever the others say, and an error outweighs a pass; without weight it only informs', () => {
    const verdict = (one: 'pass' | 'fail' | 'error') => ({ type: 'hit@k', verdict: one, score: null, reason: '' })
    const checks = [{ type: 'hit@k' }, { type: 'hit@k' }, { type: 'hit@k', weight: 0 }] as const
    expect(toOutcome([verdict('error'), verdict('fail'), verdict('pass')], checks)).toBe('fail')
    expect(toOutcome([verdict('pass'), verdict('error'), verdict('pass')], checks)).toBe('error')
    expect(toOutcome([verdict('pass'), verdict('pass'), verdict('fail')], checks)).toBe('pass')
    expect(toOutcome([], [])).toBe('error')
  })
})
