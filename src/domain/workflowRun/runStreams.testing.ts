/** Workflow streams in the shapes that platforms have been seen to send, for tests. Contents are invented. */

export type RecordedEvent = Record<string, unknown>

const runIds = { task_id: 't-1', workflow_run_id: 'r-1' }

const workflowEvent = (event: string, data: RecordedEvent): RecordedEvent => ({ event, ...runIds, data })

export const llm = { id: 'x-2', node_id: 'n-2', node_type: 'llm', title: 'Answer with sources', index: 2 }
export const workflowStarted = {
  id: 'r-1',
  workflow_id: 'w-1',
  inputs: { 'sys.query': 'Tea?' },
  created_at: 1_795_000_000,
}
export const workflowFinished = {
  id: 'r-1',
  workflow_id: 'w-1',
  status: 'succeeded',
  outputs: { answer: 'Yes.' },
  error: null,
  elapsed_time: 1.25,
  total_tokens: 17,
  total_steps: 2,
  created_by: { id: 'u-1', user: 'admin' },
  created_at: 1_795_000_000,
  finished_at: 1_795_000_001,
  exceptions_count: 0,
  files: [],
}

export const workflowStream: RecordedEvent[] = [
  { event: 'ping' },
  workflowEvent('workflow_started', workflowStarted),
  workflowEvent('node_started', { ...llm, created_at: 1_795_000_000, inputs: { topic: 'tea' } }),
  workflowEvent('agent_log', {
    node_execution_id: 'x-2',
    node_id: 'n-2',
    id: 'l-1',
    label: 'ROUND 1',
    status: 'start',
    data: {},
  }),
  workflowEvent('agent_log', {
    node_execution_id: 'x-2',
    node_id: 'n-2',
    id: 'l-2',
    parent_id: 'l-1',
    label: 'CALL search',
    status: 'success',
    data: { output: 3 },
  }),
  workflowEvent('agent_log', {
    node_execution_id: 'x-2',
    node_id: 'n-2',
    id: 'l-1',
    label: 'ROUND 1',
    status: 'success',
  }),
  workflowEvent('node_retry', { ...llm, status: 'retry', error: 'Rate limit.', elapsed_time: 0.3, retry_index: 1 }),
  workflowEvent('text_chunk', { text: 'Gr', from_variable_selector: ['n-2', 'text'] }),
  workflowEvent('text_chunk', { text: 'een.' }),
  workflowEvent('reasoning_chunk', { message_id: null, reasoning: 'Hm.', node_id: 'n-2', is_final: true }),
  workflowEvent('node_finished', {
    ...llm,
    status: 'succeeded',
    outputs: { text: 'Green.' },
    error: null,
    elapsed_time: 1,
  }),
  workflowEvent('workflow_finished', { ...workflowFinished, outputs: { text: 'Green.' } }),
]

const makeRound = (index: number, id: string): RecordedEvent[] => [
  workflowEvent('iteration_next', { id: 'i-x', node_id: 'i', node_type: 'iteration', title: 'Each file', index }),
  workflowEvent('node_started', {
    id,
    node_id: 'n-5',
    node_type: 'template-transform',
    title: 'Line',
    iteration_id: 'i',
  }),
  workflowEvent('node_finished', {
    id,
    node_id: 'n-5',
    status: 'succeeded',
    outputs: { output: `line ${index}` },
    execution_metadata: { iteration_id: 'i', iteration_index: index },
  }),
]

export const iterationStream: RecordedEvent[] = [
  workflowEvent('workflow_started', workflowStarted),
  workflowEvent('iteration_started', {
    id: 'i-x',
    node_id: 'i',
    node_type: 'iteration',
    title: 'Each file',
    metadata: { iterator_length: 2 },
    inputs: { iterator_selector: ['a', 'b'] },
    created_at: 1_795_000_000,
  }),
  ...makeRound(0, 'x-5'),
  ...makeRound(1, 'x-6'),
  workflowEvent('iteration_completed', {
    id: 'i-x',
    node_id: 'i',
    node_type: 'iteration',
    title: 'Each file',
    outputs: { output: ['line 0', 'line 1'] },
    status: 'succeeded',
    error: null,
    elapsed_time: 0.5,
    total_tokens: 0,
    execution_metadata: { iteration_duration_map: { 0: 0.2, 1: 0.3 } },
    finished_at: 1_795_000_001,
    steps: 2,
  }),
  workflowEvent('workflow_finished', workflowFinished),
]

/** An older platform: ids of loops and iterations are node ids, the first round is not announced, branches are parallel. */
export const olderLoopStream: RecordedEvent[] = [
  workflowEvent('workflow_started', { ...workflowStarted, sequence_number: 7 }),
  workflowEvent('parallel_branch_started', { parallel_id: 'p', parallel_branch_id: 'b1', created_at: 1_795_000_000 }),
  workflowEvent('loop_started', {
    id: 'lo',
    node_id: 'lo',
    node_type: 'loop',
    title: 'Until good',
    metadata: { loop_length: 3 },
  }),
  workflowEvent('node_started', { id: 'y-1', node_id: 'n-7', node_type: 'code', title: 'Try', loop_id: 'lo' }),
  workflowEvent('node_finished', {
    id: 'y-1',
    node_id: 'n-7',
    status: 'exception',
    error: 'Off by one.',
    loop_id: 'lo',
  }),
  workflowEvent('loop_next', { id: 'lo', node_id: 'lo', index: 1, pre_loop_output: { good: false } }),
  workflowEvent('node_started', { id: 'y-2', node_id: 'n-7', node_type: 'code', title: 'Try', loop_id: 'lo' }),
  workflowEvent('node_finished', { id: 'y-2', node_id: 'n-7', status: 'succeeded', loop_id: 'lo' }),
  workflowEvent('loop_completed', { id: 'lo', node_id: 'lo', outputs: { good: true }, status: 'succeeded', steps: 2 }),
  workflowEvent('parallel_branch_finished', {
    parallel_id: 'p',
    parallel_branch_id: 'b1',
    status: 'succeeded',
    error: null,
  }),
  workflowEvent('workflow_finished', workflowFinished),
]

export const failedWorkflowStream: RecordedEvent[] = [
  workflowEvent('workflow_started', workflowStarted),
  workflowEvent('node_started', llm),
  workflowEvent('node_finished', { ...llm, status: 'failed', error: 'No such file.' }),
  workflowEvent('workflow_finished', { ...workflowFinished, status: 'failed', outputs: null, error: 'No such file.' }),
]

export const stoppedWorkflowStream: RecordedEvent[] = [
  workflowEvent('workflow_started', workflowStarted),
  workflowEvent('node_started', llm),
  workflowEvent('workflow_finished', {
    ...workflowFinished,
    status: 'stopped',
    outputs: {},
    error: 'Stopped by admin.',
  }),
]

export const runStreams: Record<string, RecordedEvent[]> = {
  workflow: workflowStream,
  iteration: iterationStream,
  'loop of an older platform': olderLoopStream,
  'failed workflow': failedWorkflowStream,
  'stopped workflow': stoppedWorkflowStream,
}

export const blockingWorkflow = { workflow_run_id: 'r-1', task_id: 't-1', data: workflowFinished }
