import { describe, expect, test } from 'vitest'
import { emptyRun, type RunState } from './runState.ts'
import { foldRun } from './workflowEvents.ts'
import { expectValid, ValidRun } from '../stream/foldedStates.testing.ts'
import { pausedChatflowStream, resumedChatflowStream } from '../answer/answerStreams.testing.ts'
import * as streams from './runStreams.testing.ts'

const fold = (events: unknown[], from: RunState = emptyRun) => events.reduce<RunState>(foldRun, from)
const workflowEvent = (event: string, data: unknown) => ({ event, task_id: 't-1', workflow_run_id: 'r-1', data })

describe('a recorded workflow stream', () => {
  test.each(Object.entries(streams.runStreams))('%s: ends, and its state is valid', (_, events) => {
    const run = fold(events)
    expectValid(ValidRun, run)
    expect(run).toMatchObject({ ended: true, late: 0, problem: null, workflow_run_id: 'r-1', workflow_id: 'w-1' })
  })

  test('a workflow gives its text, reasoning, result and the node with its retry and log', () => {
    const run = fold(streams.workflowStream)
    expect(run).toMatchObject({
      task_id: 't-1',
      status: 'succeeded',
      inputs: { 'sys.query': 'Tea?' },
      outputs: { text: 'Green.' },
      text: 'Green.',
      reasoning: 'Hm.',
      total_tokens: 17,
      elapsed_time: 1.25,
      unknown: [],
    })
    expect(run.nodes).toHaveLength(1)
    expect(run.nodes[0]).toMatchObject({
      id: 'x-2',
      kind: 'node',
      node_id: 'n-2',
      node_type: 'llm',
      title: 'Answer with sources',
      index: 2,
      status: 'succeeded',
      inputs: { topic: 'tea' },
      outputs: { text: 'Green.' },
      retries: [{ retry_index: 1, error: 'Rate limit.', elapsed_time: 0.3 }],
    })
    expect(run.nodes[0]?.logs.map(({ id, status, parent_id }) => [id, status, parent_id])).toEqual([
      ['l-1', 'success', null],
      ['l-2', 'success', 'l-1'],
    ])
  })

  test('nodes of an iteration stand under it, each in its round', () => {
    const { nodes } = fold(streams.iterationStream)
    expect(nodes.map(({ id, kind, parent, round, status }) => [id, kind, parent, round, status])).toEqual([
      ['i-x', 'iteration', null, null, 'succeeded'],
      ['x-5', 'node', 'i', 0, 'succeeded'],
      ['x-6', 'node', 'i', 1, 'succeeded'],
    ])
    expect(nodes[0]).toMatchObject({ rounds: 2, outputs: { output: ['line 0', 'line 1'] } })
    expect(nodes[0]?.execution_metadata).toMatchObject({ iterator_length: 2, steps: 2 })
  })

  test('an older loop, known by its node id alone, is one entry with all its rounds', () => {
    const run = fold(streams.olderLoopStream)
    expect(run.nodes.map(({ id, kind, parent, round, status }) => [id, kind, parent, round, status])).toEqual([
      ['lo', 'loop', null, null, 'succeeded'],
      ['y-1', 'node', 'lo', 0, 'exception'],
      ['y-2', 'node', 'lo', 1, 'succeeded'],
    ])
    expect(run.nodes[0]).toMatchObject({ rounds: 2, outputs: { good: true } })
    expect(run.unknown.map(({ event, count }) => [event, count])).toEqual([
      ['parallel_branch_started', 1],
      ['parallel_branch_finished', 1],
    ])
  })

  test('a failed and a stopped run say so; a node that never finished stays running', () => {
    expect(fold(streams.failedWorkflowStream)).toMatchObject({ status: 'failed', error: 'No such file.' })
    const stopped = fold(streams.stoppedWorkflowStream)
    expect(stopped).toMatchObject({ status: 'stopped', error: 'Stopped by admin.' })
    expect(stopped.nodes[0]?.status).toBe('running')
  })
})

describe('a blocking reply', () => {
  test('folds to what its stream would have ended in', () => {
    const { status, outputs, workflow_run_id, workflow_id, task_id, ended } = fold([streams.blockingWorkflow])
    expect({ status, outputs, workflow_run_id, workflow_id, task_id, ended }).toEqual({
      status: 'succeeded',
      outputs: { answer: 'Yes.' },
      workflow_run_id: 'r-1',
      workflow_id: 'w-1',
      task_id: 't-1',
      ended: true,
    })
  })

  test('of a paused run is a pause', () => {
    const data = { id: 'r-1', status: 'paused', paused_nodes: ['n-3'], reasons: [{ TYPE: 'human_input_required' }] }
    const run = fold([{ workflow_run_id: 'r-1', task_id: 't-1', data }])
    expect(run).toMatchObject({ status: 'paused', ended: true, paused: { paused_nodes: ['n-3'] } })
  })
})

describe('ends', () => {
  const begun = [
    workflowEvent('workflow_started', { id: 'r-1' }),
    workflowEvent('node_started', { id: 'x', node_id: 'n' }),
  ]
  const finished = workflowEvent('workflow_finished', { id: 'r-1', status: 'succeeded', outputs: { a: 1 } })
  const error = { event: 'error', status: 400, code: 'invalid_param', message: 'No.' }

  test('an error without a task id is terminal and keeps the task', () => {
    expect(fold([...begun, error])).toMatchObject({
      ended: true,
      task_id: 't-1',
      problem: { status: 400, code: 'invalid_param', message: 'No.' },
    })
  })

  test('what a run came to is taken after an error, and an error after the result', () => {
    const one = fold([...begun, error, finished])
    const other = fold([...begun, finished, error])
    expect(one).toEqual(other)
    expect(one).toMatchObject({ outputs: { a: 1 }, problem: { code: 'invalid_param' }, late: 0 })
  })

  test('text after the end is counted and not taken, a node that completes is both', () => {
    const node = workflowEvent('node_finished', { id: 'x', node_id: 'n', status: 'succeeded', outputs: 1 })
    const run = fold([...begun, finished, workflowEvent('text_chunk', { text: 'more' }), node, finished])
    expect(run).toMatchObject({ text: '', late: 3, nodes: [{ id: 'x', status: 'succeeded', outputs: 1 }] })
  })

  test('a resumed run goes on and keeps its nodes and forms', () => {
    const paused = fold(pausedChatflowStream)
    expect(paused).toMatchObject({ status: 'paused', ended: true, forms: [{ form_id: 'h-1', node_title: 'Approve' }] })
    const resumed = foldRun(paused, resumedChatflowStream[0])
    expect(resumed).toMatchObject({ status: 'running', ended: false, paused: null, nodes: paused.nodes })
    const filled = foldRun(resumed, resumedChatflowStream[1])
    expect(filled.forms).toHaveLength(1)
    expect(filled.forms[0]).toMatchObject({ form_id: 'h-1', event: 'human_input_form_filled', action_id: 'yes' })
  })
})

describe('nodes', () => {
  test('two executions of one node in parallel rounds stay apart', () => {
    const node = (event: string, id: string, own: object = {}) =>
      workflowEvent(event, { id, node_id: 'n', iteration_id: 'i', ...own })
    const { nodes } = fold([
      node('node_started', 'x-1'),
      node('node_started', 'x-2'),
      node('node_finished', 'x-1', { status: 'failed' }),
    ])
    expect(nodes.map(({ id, status }) => [id, status])).toEqual([
      ['x-1', 'failed'],
      ['x-2', 'running'],
    ])
  })

  test('a node that finishes before it starts keeps its end and gains its beginning', () => {
    const { nodes } = fold([
      workflowEvent('node_finished', { id: 'x', node_id: 'n', status: 'succeeded', outputs: 2 }),
      workflowEvent('node_started', { id: 'x', node_id: 'n', title: 'Sum', inputs: 1 }),
    ])
    expect(nodes).toMatchObject([{ status: 'succeeded', title: 'Sum', inputs: 1, outputs: 2 }])
    expect(nodes).toHaveLength(1)
  })

  test('an iteration inside a loop, known by its node id alone, is an entry for each time it runs', () => {
    const once = [
      workflowEvent('iteration_started', { id: 'i', node_id: 'i' }),
      workflowEvent('iteration_next', { id: 'i', node_id: 'i', index: 0 }),
      workflowEvent('iteration_completed', { id: 'i', node_id: 'i', status: 'succeeded' }),
    ]
    const { nodes } = fold([...once, ...once, ...once])
    expect(nodes.map(({ id, rounds, status }) => [id, rounds, status])).toEqual([
      ['i', 1, 'succeeded'],
      ['i#2', 1, 'succeeded'],
      ['i#3', 1, 'succeeded'],
    ])
  })

  test('a retry with an id of its own belongs to the execution that runs', () => {
    const { nodes } = fold([
      workflowEvent('node_started', { id: 'x', node_id: 'n' }),
      workflowEvent('node_retry', { id: 'other', node_id: 'n', retry_index: 1, error: { type: 'timeout' } }),
    ])
    expect(nodes).toMatchObject([{ id: 'x', status: 'running', retries: [{ error: '{"type":"timeout"}' }] }])
  })

  test('a log whose node is not there yet makes its place', () => {
    const { nodes } = fold([
      workflowEvent('agent_log', { node_execution_id: 'x', node_id: 'n', label: 'A' }),
      workflowEvent('agent_log', { node_execution_id: 'x', node_id: 'n', label: 'B' }),
      workflowEvent('node_started', { id: 'x', node_id: 'n', title: 'Agent' }),
    ])
    expect(nodes).toMatchObject([{ id: 'x', title: 'Agent', logs: [{ label: 'A' }, { label: 'B' }] }])
  })
})

describe('what no rule knows', () => {
  test('is kept by name with its count and the first as it came', () => {
    const run = fold([
      { event: 'galaxy', n: 1 },
      { event: 'galaxy', n: 2 },
      { event: 'constructor' },
      workflowEvent('node_started', { title: 'no id' }),
      workflowEvent('text_chunk', { text: 5 }),
      { event: 'workflow_finished', data: null },
      { no: 'name' },
      17,
      undefined,
    ])
    expect(run.unknown.map(({ event, count }) => [event, count])).toEqual([
      ['galaxy', 2],
      ['constructor', 1],
      ['node_started', 1],
      ['text_chunk', 1],
      ['workflow_finished', 1],
      ['(no event name)', 1],
      ['(not an object)', 1],
    ])
    expect(run.unknown[0]?.sample).toEqual({ event: 'galaxy', n: 1 })
    expect({ ...run, unknown: [] }).toEqual(emptyRun)
  })

  test('fills no more than a hundred names', () => {
    const run = fold(Array.from({ length: 500 }, (_, at) => ({ event: `name ${at}` })))
    expect(run.unknown).toHaveLength(101)
    expect(run.unknown.at(-1)).toMatchObject({ event: '(others)', count: 400 })
  })

  test('values nested too deep for JSON to be written are cut, fields named __proto__ stay fields', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) as unknown
    const inputs = JSON.parse('{"__proto__":{"polluted":true},"big":1e400}') as unknown
    const run = fold([
      workflowEvent('workflow_started', { id: 'r-1', inputs }),
      workflowEvent('workflow_finished', { outputs: deep }),
    ])
    expectValid(ValidRun, run)
    expect(JSON.stringify(run.inputs)).toBe('{"__proto__":{"polluted":true},"big":null}')
    expect(JSON.stringify(run.outputs)).toContain('nested more than 256 levels deep')
    expect({}).not.toHaveProperty('polluted')
  })
})
