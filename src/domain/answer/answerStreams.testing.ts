import { llm, type RecordedEvent, workflowFinished, workflowStarted } from '../workflowRun/runStreams.testing.ts'

/** Chat and completion streams in the shapes that platforms have been seen to send, for tests. Contents are invented. */

const chatIds = { task_id: 't-1', message_id: 'm-1', conversation_id: 'c-1', created_at: 1_795_000_000 }
const flowIds = { ...chatIds, workflow_run_id: 'r-1' }

const chatEvent = (event: string, own: RecordedEvent = {}): RecordedEvent => ({ event, ...chatIds, ...own })
const workflowEvent = (event: string, data: RecordedEvent): RecordedEvent => ({ event, ...flowIds, data })
export const usage = {
  prompt_tokens: 12,
  prompt_unit_price: '0.001',
  prompt_price_unit: '0.001',
  prompt_price: '0.000012',
  completion_tokens: 5,
  completion_unit_price: '0.002',
  completion_price_unit: '0.001',
  completion_price: '0.00001',
  total_tokens: 17,
  total_price: '0.000022',
  currency: 'USD',
  latency: 0.8,
  time_to_first_token: 0.2,
}
const source = {
  position: 1,
  dataset_id: 'd-1',
  dataset_name: 'Teas',
  document_id: 'o-1',
  document_name: 'Green.md',
  segment_id: 's-1',
  score: 0.91,
  content: 'Steep at 80 degrees.',
  page: null,
  title: 'Green',
}
const messageEnd = chatEvent('message_end', {
  id: 'm-1',
  metadata: { usage, retriever_resources: [source], annotation_reply: null },
  files: [],
})

export const chatStream: RecordedEvent[] = [
  chatEvent('message', { id: 'm-1', answer: 'Steep ', from_variable_selector: null }),
  { event: 'ping' },
  chatEvent('message', { id: 'm-1', answer: 'it ' }),
  chatEvent('tts_message', { audio: 'AAAA' }),
  chatEvent('message', { id: 'm-1', answer: 'briefly.' }),
  messageEnd,
  chatEvent('tts_message_end', { audio: '' }),
]

/** A basic chat with a file attached: its deltas are `message_file` events that still carry `answer`. */
export const chatWithFileStream: RecordedEvent[] = [
  chatEvent('message_file', { id: 'f-1', type: 'image', belongs_to: 'assistant', url: '/files/f-1.png?sign=x' }),
  chatEvent('message_file', { id: 'm-1', answer: 'A green ' }),
  chatEvent('message_file', { id: 'm-1', answer: 'leaf.' }),
  chatEvent('message_end', {
    id: 'm-1',
    metadata: { usage, retriever_resources: [] },
    files: [
      {
        related_id: 'f-1',
        type: 'image',
        filename: 'leaf.png',
        mime_type: 'image/png',
        size: 2048,
        url: '/files/f-1.png?sign=y',
        transfer_method: 'tool_file',
      },
    ],
  }),
]

export const completionStream: RecordedEvent[] = [
  { event: 'message', task_id: 't-1', message_id: 'm-1', id: 'm-1', created_at: 1_795_000_000, answer: 'Short ' },
  { event: 'message', task_id: 't-1', message_id: 'm-1', id: 'm-1', created_at: 1_795_000_000, answer: 'text.' },
  { event: 'message_replace', task_id: 't-1', message_id: 'm-1', answer: 'Withheld.', reason: 'output_moderation' },
  { event: 'message_end', task_id: 't-1', message_id: 'm-1', id: 'm-1', metadata: { usage } },
]

const thought = { id: 'a-1', position: 1, thought: '', observation: '', tool: '', tool_input: '', message_files: [] }

export const agentChatStream: RecordedEvent[] = [
  chatEvent('agent_thought', { ...thought, thought: null, observation: null, tool: null, tool_input: null }),
  chatEvent('agent_message', { id: 'm-1', answer: 'I look ' }),
  chatEvent('agent_message', { id: 'm-1', answer: 'it up.' }),
  chatEvent('agent_thought', {
    ...thought,
    thought: 'I look it up.',
    tool: 'search;clock',
    tool_labels: { search: { en_US: 'Search' } },
    tool_input: '{"search":{"q":"tea"}}',
  }),
  chatEvent('message_file', { id: 'f-2', type: 'image', belongs_to: 'assistant', url: 'https://files.example/2.png' }),
  chatEvent('agent_thought', {
    ...thought,
    thought: 'I look it up.',
    observation: '{"search":"80 degrees"}',
    tool: 'search;clock',
    message_files: ['f-2'],
  }),
  chatEvent('agent_message', { id: 'm-1', answer: ' 80 degrees.' }),
  messageEnd,
]

/** The new agent app closes with one `message` that repeats the whole answer. */
export const agentStream: RecordedEvent[] = [
  chatEvent('agent_message', { id: 'm-1', answer: 'It is ' }),
  chatEvent('agent_thought', { ...thought, thought: 'Known.' }),
  chatEvent('agent_message', { id: 'm-1', answer: 'noon.' }),
  chatEvent('message', { id: 'm-1', answer: 'It is noon.' }),
  messageEnd,
]

const agentThought = (id: string, position: number, tool = '') =>
  chatEvent('agent_thought', { ...thought, id, position, tool })

/** The new agent app says something before it calls a tool: the closing `message` has the words after the call alone. */
export const agentWithToolStream: RecordedEvent[] = [
  agentThought('a-1', 1),
  chatEvent('agent_message', { id: 'm-1', answer: 'Let me ' }),
  agentThought('a-1', 1),
  chatEvent('agent_message', { id: 'm-1', answer: 'check the shop. ' }),
  agentThought('a-2', 2, 'shell_run'),
  agentThought('a-3', 3),
  chatEvent('agent_message', { id: 'm-1', answer: 'It opens ' }),
  agentThought('a-3', 3),
  chatEvent('agent_message', { id: 'm-1', answer: 'at nine.' }),
  chatEvent('message', { id: 'm-1', answer: 'It opens at nine.' }),
  messageEnd,
]

/** What release 1.16 sends after an answer that no workflow gave. */
const inventedWorkflow: RecordedEvent[] = [
  workflowEvent('workflow_started', { ...workflowStarted, inputs: {} }),
  workflowEvent('workflow_finished', {
    ...workflowFinished,
    status: 'failed',
    outputs: null,
    error: 'Workflow stream ended without a terminal event',
    total_steps: 0,
    total_tokens: 0,
    exceptions_count: 1,
  }),
]

/** A chatflow whose answer is that of an annotation, or of the moderation of its input. */
export const annotatedChatflowStream: RecordedEvent[] = [
  { event: 'ping' },
  chatEvent('message', { id: 'm-1', answer: 'At nine.' }),
  messageEnd,
  ...inventedWorkflow,
]

export const brokenChatflowStream: RecordedEvent[] = [
  {
    event: 'error',
    conversation_id: 'c-1',
    message_id: 'm-1',
    task_id: 't-1',
    code: 'provider_not_initialize',
    message: 'No model.',
    status: 400,
  },
  ...inventedWorkflow,
]

const chatflowBody: RecordedEvent[] = [
  workflowEvent('workflow_started', workflowStarted),
  workflowEvent('node_started', {
    id: 'x-1',
    node_id: 'n-1',
    node_type: 'start',
    title: 'Start',
    index: 1,
    predecessor_node_id: null,
    inputs: null,
    created_at: 1_795_000_000,
    extras: {},
  }),
  workflowEvent('node_finished', {
    id: 'x-1',
    node_id: 'n-1',
    node_type: 'start',
    title: 'Start',
    index: 1,
    outputs: { query: 'Tea?' },
    status: 'succeeded',
    elapsed_time: 0.01,
    finished_at: 1_795_000_000,
    files: null,
  }),
  workflowEvent('node_started', { ...llm, predecessor_node_id: 'n-1', created_at: 1_795_000_000 }),
  chatEvent('reasoning_chunk', {
    data: { message_id: 'm-1', reasoning: 'The text ', node_id: 'n-2', is_final: false },
  }),
  chatEvent('reasoning_chunk', { data: { message_id: 'm-1', reasoning: 'says so.', node_id: 'n-2', is_final: true } }),
  chatEvent('message', { id: 'm-1', answer: 'Ye', from_variable_selector: ['n-2', 'text'] }),
  chatEvent('message', { id: 'm-1', answer: 's.' }),
  workflowEvent('node_finished', {
    ...llm,
    status: 'succeeded',
    process_data: { model_mode: 'chat' },
    outputs: { text: 'Yes.' },
    execution_metadata: { total_tokens: 17, currency: 'USD' },
    elapsed_time: 1.2,
    finished_at: 1_795_000_001,
  }),
]

/** A chatflow of version 1.12, which closes with `message_end`, and one of 1.16, which finishes the run last. */
export const chatflowStreams: Record<'older' | 'newer', RecordedEvent[]> = {
  older: [...chatflowBody, workflowEvent('workflow_finished', workflowFinished), messageEnd],
  newer: [{ event: 'ping' }, ...chatflowBody, messageEnd, workflowEvent('workflow_finished', workflowFinished)],
}

export const failedChatflowStream: RecordedEvent[] = [
  ...chatflowBody.slice(0, 4),
  workflowEvent('node_finished', { ...llm, status: 'failed', error: 'The model is out of reach.' }),
  workflowEvent('workflow_finished', {
    ...workflowFinished,
    status: 'failed',
    outputs: null,
    error: 'Node n-2 failed.',
  }),
  {
    event: 'error',
    conversation_id: 'c-1',
    message_id: 'm-1',
    created_at: 1_795_000_000,
    code: 'completion_request_error',
    message: 'The model is out of reach.',
    status: 400,
  },
]

/** A chatflow that waits for human input and continues in a second stream. */
export const pausedChatflowStream: RecordedEvent[] = [
  ...chatflowBody.slice(0, 3),
  workflowEvent('human_input_required', {
    form_id: 'h-1',
    node_id: 'n-3',
    node_title: 'Approve',
    form_content: '**Send it?**',
    inputs: [],
    actions: [{ id: 'yes', title: 'Send', button_style: 'primary' }],
    form_token: 'once',
    expiration_time: 1_795_003_600,
  }),
  workflowEvent('workflow_paused', {
    workflow_run_id: 'r-1',
    paused_nodes: ['n-3'],
    outputs: {},
    reasons: [{ TYPE: 'human_input_required', form_id: 'h-1' }],
    status: 'paused',
    elapsed_time: 0.4,
    total_tokens: 0,
    total_steps: 1,
  }),
]
export const resumedChatflowStream: RecordedEvent[] = [
  workflowEvent('workflow_started', { ...workflowStarted, reason: 'resumption' }),
  workflowEvent('human_input_form_filled', {
    node_id: 'n-3',
    node_title: 'Approve',
    rendered_content: 'Sent.',
    action_id: 'yes',
    action_text: 'Send',
  }),
  chatEvent('message', { id: 'm-1', answer: 'Sent.' }),
  messageEnd,
  workflowEvent('workflow_finished', workflowFinished),
]

export const answerStreams: Record<string, RecordedEvent[]> = {
  chat: chatStream,
  'chat with a file': chatWithFileStream,
  completion: completionStream,
  'agent-chat': agentChatStream,
  agent: agentStream,
  'agent, text before a tool call': agentWithToolStream,
  'annotated chatflow': annotatedChatflowStream,
  'chatflow, error before its workflow': brokenChatflowStream,
  'chatflow, older': chatflowStreams.older,
  'chatflow, newer': chatflowStreams.newer,
  'failed chatflow': failedChatflowStream,
  'paused and resumed chatflow': [...pausedChatflowStream, ...resumedChatflowStream],
}
export const blockingChat = {
  event: 'message',
  task_id: 't-1',
  id: 'm-1',
  message_id: 'm-1',
  conversation_id: 'c-1',
  mode: 'chat',
  answer: 'Steep it briefly.',
  metadata: { usage, retriever_resources: [source] },
  created_at: 1_795_000_000,
}
