import { expect, it } from 'vitest'
import { formatNumbers, type SweepRow, toCsvText } from './sweepRows.ts'

it('has a line for each setting, with its values and what it finds', () => {
  const row: SweepRow = {
    number: 1,
    label: 'top_k 4',
    state: 'succeeded',
    problem: null,
    values: { top_k: 4, chunk_tokens: null, is_estimate: false },
    source: 'dry_run',
    best: { fixed: 8, regressed: 0 },
    questions: 10,
    hit: 0.9,
    mrr: 0.75,
    tokens: 812.5,
  }
  expect(toCsvText([row]).split('\r\n')).toEqual([
    'search_method,top_k,score_threshold,weights,chunk_tokens,source,questions,hit,mrr,tokens,best',
    ',4,,,,dry_run,10,0.9,0.75,812.5,true',
    '',
  ])
})

it('writes numbers in a row as a range, so that many settings at one place fit into the picture', () => {
  expect(formatNumbers([1])).toBe('1')
  expect(formatNumbers([1, 2, 4, 9, 10, 11, 12])).toBe('1,2,4,9–12')
})
