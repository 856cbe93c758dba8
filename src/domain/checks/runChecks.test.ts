import { describe, expect, it } from 'vitest'
import { Check } from '#contract/console/checks.ts'
import { emptyNode } from '../workflowRun/runNodes.ts'
import { checkRun } from './checkedRun.testing.ts'
import { evaluateCheck } from './evaluateCheck.ts'
import { findJsonPath } from './jsonValue.ts'
import { parseLosslessJson } from '../losslessJson.ts'

describe('a check of JSON', () => {
  const text = 'Here it is: {"total": 3, "items": [{"id": "a"}, {"id": "b"}]} and [broken.'
  const schema = {
    type: 'object',
    required: ['total'],
    properties: { total: { type: 'number', maximum: 5 } },
  }
  it.each([
    [{ type: 'is-json' }, text, 'fail'],
    [{ type: 'not-is-json' }, text, 'pass'],
    [{ type: 'is-json' }, ' {"total": 3} ', 'pass'],
    [{ type: 'is-json', value: schema }, '{"total": 3}', 'pass'],
    [{ type: 'is-json', value: schema }, '{"total": 9}', 'fail'],
    [{ type: 'is-json', value: { type: 'nothing' } }, '[]', 'error'],
    [{ type: 'is-json', value: { required: ['id'] } }, '{"a": 1}', 'fail'],
    [{ type: 'is-json', value: { required: ['id'] } }, '{"id": null}', 'pass'],
    [{ type: 'is-json', value: { type: 'array', items: { required: ['id'] } } }, '[{"a": 1}]', 'fail'],
    [{ type: 'is-json', value: { properties: { id: { type: 'number' } } } }, '{"id": "x"}', 'fail'],
    [{ type: 'is-json', value: { $ref: '#/$defs/a', $defs: { a: { required: ['id'] } } } }, '{}', 'fail'],
    [{ type: 'not-is-json', value: { if: {}, then: {} } }, '[]', 'error'],
    [{ type: 'contains-json' }, text, 'pass'],
    [{ type: 'contains-json', value: schema }, text, 'pass'],
    [{ type: 'contains-json', value: schema }, 'one [1] only', 'fail'],
    [{ type: 'contains-json' }, 'a "}" in {"text": "}{"}', 'pass'],
    [{ type: 'json-path', path: '$.answer.total', value: 3 }, '{"total": 3}', 'pass'],
    [{ type: 'json-path', path: '$.answer.total', value: 4 }, '{"total": 3}', 'fail'],
    [
      { type: 'json-path', path: '$.answer.id', value: parseLosslessJson('9007199254740993') },
      '{"id": 9007199254740993}',
      'pass',
    ],
    [
      { type: 'json-path', path: '$.answer.id', value: parseLosslessJson('9007199254740993') },
      '{"id": 9007199254740992}',
      'fail',
    ],
    [{ type: 'json-path', path: '$.answer.id', value: 9007199254740992 }, '{"id": 9007199254740993}', 'fail'],
    [
      { type: 'json-path', path: '$.answer.id', value: parseLosslessJson('12345678901234567890') },
      '{"id": 1.2345678901234567890E19}',
      'pass',
    ],
    [{ type: 'is-json', value: schema }, '{"total": 2.00000000000000000001}', 'pass'],
    [{ type: 'json-path', path: '$.outputs.total', value: 7 }, '', 'pass'],
    [{ type: 'json-path', path: '$.outputs.other' }, '', 'fail'],
    [{ type: 'not-json-path', path: '$.outputs.other' }, '', 'pass'],
    [{ type: 'json-path', path: '$..total' }, '', 'error'],
  ])('%j of %j is a %s', (check, answer, verdict) => {
    expect(checkRun(Check.parse(check), { text: answer, outputs: { total: 7 } }).verdict).toBe(verdict)
  })

  it.each([
    ['$', [{ list: [{ id: 1 }, { id: 2 }], 'a b': { c: null } }]],
    ['$.list[0].id', [1]],
    ['$.list[-1].id', [2]],
    ['$.list[*].id', [1, 2]],
    ["$['a b'].c", [null]],
    ['$["a b"].*', [null]],
    ['$.toString', []],
    ['$.list[?(@.id)]', null],
  ])('finds %s', (path, found) => {
    expect(findJsonPath({ list: [{ id: 1 }, { id: 2 }], 'a b': { c: null } }, path)).toEqual(found)
  })
})

describe('a check of how a run was answered', () => {
  it.each([
    [{ type: 'latency', threshold: 2_000 }, 'pass'],
    [{ type: 'latency', threshold: 1_999 }, 'fail'],
    [{ type: 'first-token', threshold: 300 }, 'pass'],
    [{ type: 'longest-stall', threshold: 500 }, 'fail'],
    [{ type: 'tokens', threshold: 100 }, 'fail'],
    [{ type: 'cost', threshold: 0.0042, currency: 'USD' }, 'pass'],
    [{ type: 'cost', threshold: 0.001, currency: 'USD' }, 'fail'],
    [{ type: 'cost', threshold: 1, currency: 'EUR' }, 'error'],
    [{ type: 'ends-with-terminal-event' }, 'pass'],
  ])('%j is a %s', (check, verdict) => {
    expect(checkRun(Check.parse(check), {}).verdict).toBe(verdict)
  })

  it('cannot be decided where nothing was reported, also when negated', () => {
    const unreported = {
      duration_ms: null,
      first_token_ms: null,
      longest_stall_ms: null,
      total_tokens: null,
      total_price: null,
      hasTerminalEvent: null,
    }
    const types = ['latency', 'first-token', 'longest-stall', 'tokens', 'cost', 'ends-with-terminal-event'] as const
    for (const type of types)
      for (const name of [type, `not-${type}`] as const)
        expect(checkRun({ type: name, threshold: 1, currency: 'USD' }, unreported).verdict).toBe('error')
  })

  it('fails what differs from the contract, and cannot decide what is not stored', () => {
    const drifted = { drifts: ['event mood_changed', 'type message answer'] }
    expect(checkRun({ type: 'no-drift' }, {}).verdict).toBe('pass')
    expect(checkRun({ type: 'no-drift' }, drifted)).toMatchObject({
      verdict: 'fail',
      reason: '2 differences from the contract, first event mood_changed. At most 0 passes.',
    })
    expect(checkRun({ type: 'no-drift', threshold: 2 }, drifted).verdict).toBe('pass')
    expect(checkRun({ type: 'not-no-drift' }, { drifts: null }).verdict).toBe('error')
  })

  it('says that a stream broke off', () => {
    const cut = { status: 'interrupted', hasTerminalEvent: false } as const
    expect(checkRun({ type: 'ends-with-terminal-event' }, cut).verdict).toBe('fail')
  })
})

describe('a check of a workflow', () => {
  const toNode = (node_id: string, more: object = {}) => ({
    ...emptyNode,
    id: `${node_id} 1`,
    kind: 'node' as const,
    node_id,
    status: 'succeeded',
    ...more,
  })
  const workflow = {
    nodes: [
      toNode('start'),
      toNode('search', { elapsed_time: 0.25, title: 'Search the manual' }),
      toNode('llm', {
        elapsed_time: 1.5,
        outputs: { text: 'Yes', usage: { total_tokens: 7 } },
        retries: [{ retry_index: 1, error: 'busy', elapsed_time: 0.1 }],
      }),
      toNode('search', { id: 'search 2', elapsed_time: 0.5, status: 'exception', title: 'Search the manual' }),
    ],
    exceptions_count: 1,
    paused: null,
    forms: [],
  }
  it.each([
    [{ type: 'node-ran', node: 'llm' }, 'pass'],
    [{ type: 'node-ran', node: 'Search the manual' }, 'pass'],
    [{ type: 'node-ran', node: 'mail' }, 'fail'],
    [{ type: 'node-not-ran', node: 'mail' }, 'pass'],
    [{ type: 'node-not-ran', node: 'llm' }, 'fail'],
    [{ type: 'node-order', value: ['start', 'Search the manual', 'llm'] }, 'pass'],
    [{ type: 'node-order', value: ['llm', 'search'] }, 'fail'],
    [{ type: 'node-output', node: 'llm', path: '$.text', value: 'Yes' }, 'pass'],
    [{ type: 'node-output', node: 'llm', path: '$.usage.total_tokens', value: 8 }, 'fail'],
    [{ type: 'node-output', node: 'mail', path: '$.text' }, 'error'],
    [{ type: 'node-latency', node: 'search', threshold: 500 }, 'pass'],
    [{ type: 'node-latency', node: 'search', threshold: 300 }, 'fail'],
    [{ type: 'node-latency', node: 'start', threshold: 300 }, 'error'],
    [{ type: 'retries' }, 'fail'],
    [{ type: 'retries', threshold: 1 }, 'pass'],
    [{ type: 'retries', node: 'search' }, 'pass'],
    [{ type: 'exceptions' }, 'fail'],
    [{ type: 'exceptions', threshold: 1 }, 'pass'],
    [{ type: 'pauses-for-form' }, 'fail'],
    [{ type: 'not-pauses-for-form' }, 'pass'],
  ])('%j is a %s', (check, verdict) => {
    expect(checkRun(Check.parse(check), { workflow }).verdict).toBe(verdict)
  })

  it('sees the pause of a run that waits for a person', () => {
    const paused = { ...workflow, paused: { reasons: [], paused_nodes: [] } }
    expect(checkRun({ type: 'pauses-for-form' }, { workflow: paused, status: 'paused' }).verdict).toBe('pass')
  })

  it('cannot be decided without a workflow, or where the platform names no nodes', () => {
    expect(checkRun({ type: 'node-ran', node: 'llm' }, {}).verdict).toBe('error')
    expect(checkRun({ type: 'not-pauses-for-form' }, {}).verdict).toBe('error')
    const silent = { nodes: [], exceptions_count: null, paused: null, forms: [] }
    for (const type of ['node-ran', 'node-not-ran', 'not-node-ran', 'retries', 'exceptions'] as const)
      expect(checkRun({ type, node: 'llm' }, { workflow: silent }).verdict).toBe('error')
  })
})

it('cannot be decided of a retrieval that is no run', () => {
  const result = { expected: {}, found: [], run: null }
  expect(evaluateCheck({ type: 'not-contains', value: 'a' }, result).verdict).toBe('error')
})
