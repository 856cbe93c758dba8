import { expect, test } from 'vitest'
import type { SuiteCase } from '#contract/console/suites.ts'
import { makeSuiteCase } from '../experiment.testing.ts'
import { listCaseChanges, toCaseTexts } from './caseTexts.ts'

const one = makeSuiteCase({
  name: 'Returns?',
  input: { query: 'Returns?', earlier_turns: ['Hello', 'Delivery?'] },
  expected: { answer: '30 days', segments: [{ id: 's1', label: 'Terms' }, { id: 's2' }] },
  checks: [{ type: 'contains', value: '30 days' }, { type: 'not-is-refusal' }],
  tags: ['returns', 'terms'],
  split: null,
})

test('a case is told field by field, and what it does not have is left out', () => {
  expect([...toCaseTexts(one)]).toEqual([
    ['query', 'Returns?'],
    ['earlier_turns', 'Hello\nDelivery?'],
    ['answer', '30 days'],
    ['sources', 'Terms (s1)\ns2'],
    ['checks', 'contains value: "30 days"\nnot-is-refusal'],
    ['tags', 'returns, terms'],
  ])
})

test('a revision is told by what it changed', () => {
  const after: SuiteCase = { ...one, name: 'Return policy', expected: {}, split: 'test' }
  expect(listCaseChanges(one, after)).toEqual([
    { field: 'name', before: '', after: 'Return policy' },
    { field: 'answer', before: '30 days', after: '' },
    { field: 'sources', before: 'Terms (s1)\ns2', after: '' },
    { field: 'split', before: '', after: 'test' },
  ])
  expect(listCaseChanges(one, one)).toEqual([])
})
