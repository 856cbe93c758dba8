import { llm, type StreamEvent, workflowFinished, workflowStarted } from './run-streams.testing.ts'

/** Chat and completion streams in the shapes that platforms have been seen to send, for tests. Contents are invented. */

const chatIds = { task_id: 't-1', message_id: 'm-1', conversation_id: 'c-1', created_at: 1_795_000_000 }
const flowIds = { ...chatIds, workflow_run_id: 'r-1' }

const chat = (event: string, own: StreamEvent = {}): StreamEvent => ({ event, ...chatIds, ...own })
const flow = (event: string, data: StreamEvent): StreamEvent => ({ event, ...flowIds, data })
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
const messageEnd = chat('message_end', {
  id: 'm-1',
  metadata: { usage, retriever_resources: [source], annotation_reply: null },
  files: [],
})

export const chatStream: StreamEvent[] = [
  chat('message', { id: 'm-1', answer: 'Steep ', from_variable_selector: null }),
  { event: 'ping' },
  chat('message', { id: 'm-1', answer: 'it ' }),
  chat('tts_message', { audio: 'AAAA' }),
  chat('message', { id: 'm-1', answer: 'briefly.' }),
  messageEnd,
  chat('tts_message_end', { audio: '' }),
]

/** A basic chat with a file attached: its deltas come as `message_file` and still carry `answer`. */
export const chatWithFileStream: StreamEvent[] = [
  chat('message_file', { id: 'f-1', type: 'image', belongs_to: 'assistant', url: '/files/f-1.png?sign=x' }),
  chat('message_file', { id: 'm-1', answer: 'A green ' }),
  chat('message_file', { id: 'm-1', answer: 'leaf.' }),
  chat('message_end', {
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

export const completionStream: StreamEvent[] = [
  { event: 'message', task_id: 't-1', message_id: 'm-1', id: 'm-1', created_at: 1_795_000_000, answer: 'Short ' },
  { event: 'message', task_id: 't-1', message_id: 'm-1', id: 'm-1', created_at: 1_795_000_000, answer: 'text.' },
  { event: 'message_replace', task_id: 't-1', message_id: 'm-1', answer: 'Withheld.', reason: 'output_moderation' },
  { event: 'message_end', task_id: 't-1', message_id: 'm-1', id: 'm-1', metadata: { usage } },
]

const thought = { id: 'a-1', position: 1, thought: '', observation: '', tool: '', tool_input: '', message_files: [] }

export const agentChatStream: StreamEvent[] = [
  chat('agent_thought', { ...thought, thought: null, observation: null, tool: null, tool_input: null }),
  chat('agent_message', { id: 'm-1', answer: 'I look ' }),
  chat('agent_message', { id: 'm-1', answer: 'it up.' }),
  chat('agent_thought', {
    ...thought,
    thought: 'I look it up.',
    tool: 'search;clock',
    tool_labels: { search: { en_US: 'Search' } },
    tool_input: '{"search":{"q":"tea"}}',
  }),
  chat('message_file', { id: 'f-2', type: 'image', belongs_to: 'assistant', url: 'https://files.example/2.png' }),
  chat('agent_thought', {
    ...thought,
    thought: 'I look it up.',
    observation: '{"search":"80 degrees"}',
    tool: 'search;clock',
    message_files: ['f-2'],
  }),
  chat('agent_message', { id: 'm-1', answer: ' 80 degrees.' }),
  messageEnd,
]

/** The new agent app closes with one `message` that repeats the whole answer. */
export const agentStream: StreamEvent[] = [
  chat('agent_message', { id: 'm-1', answer: 'It is ' }),
  chat('agent_thought', { ...thought, thought: 'Known.' }),
  chat('agent_message', { id: 'm-1', answer: 'noon.' }),
  chat('message', { id: 'm-1', answer: 'It is noon.' }),
  messageEnd,
]

const chatflowBody: StreamEvent[] = [
  flow('workflow_started', workflowStarted),
  flow('node_started', {
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
  flow('node_finished', {
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
  flow('node_started', { ...llm, predecessor_node_id: 'n-1', created_at: 1_795_000_000 }),
  chat('reasoning_chunk', { data: { message_id: 'm-1', reasoning: 'The text ', node_id: 'n-2', is_final: false } }),
  chat('reasoning_chunk', { data: { message_id: 'm-1', reasoning: 'says so.', node_id: 'n-2', is_final: true } }),
  chat('message', { id: 'm-1', answer: 'Ye', from_variable_selector: ['n-2', 'text'] }),
  chat('message', { id: 'm-1', answer: 's.' }),
  flow('node_finished', {
    ...llm,
    status: 'succeeded',
    process_data: { model_mode: 'chat' },
    outputs: { text: 'Yes.' },
    execution_metadata: { total_tokens: 17, currency: 'USD' },
    elapsed_time: 1.2,
    finished_at: 1_795_000_001,
  }),
]

/** A chatflow of the 1.12 line, which closes with `message_end`, and one of the 1.16 line, which closes the run last. */
export const chatflowStreams: Record<'older' | 'newer', StreamEvent[]> = {
  older: [...chatflowBody, flow('workflow_finished', workflowFinished), messageEnd],
  newer: [{ event: 'ping' }, ...chatflowBody, messageEnd, flow('workflow_finished', workflowFinished)],
}

export const failedChatflowStream: StreamEvent[] = [
  ...chatflowBody.slice(0, 4),
  flow('node_finished', { ...llm, status: 'failed', error: 'The model is out of reach.' }),
  flow('workflow_finished', { ...workflowFinished, status: 'failed', outputs: null, error: 'Node n-2 failed.' }),
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

/** A chatflow that waits for a person, and goes on in a second stream. */
export const pausedChatflowStream: StreamEvent[] = [
  ...chatflowBody.slice(0, 3),
  flow('human_input_required', {
    form_id: 'h-1',
    node_id: 'n-3',
    node_title: 'Approve',
    form_content: '**Send it?**',
    inputs: [],
    actions: [{ id: 'yes', title: 'Send', button_style: 'primary' }],
    form_token: 'once',
    expiration_time: 1_795_003_600,
  }),
  flow('workflow_paused', {
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
export const resumedChatflowStream: StreamEvent[] = [
  flow('workflow_started', { ...workflowStarted, reason: 'resumption' }),
  flow('human_input_form_filled', {
    node_id: 'n-3',
    node_title: 'Approve',
    rendered_content: 'Sent.',
    action_id: 'yes',
    action_text: 'Send',
  }),
  chat('message', { id: 'm-1', answer: 'Sent.' }),
  messageEnd,
  flow('workflow_finished', workflowFinished),
]

export const answerStreams: Record<string, StreamEvent[]> = {
  chat: chatStream,
  'chat with a file': chatWithFileStream,
  completion: completionStream,
  'agent-chat': agentChatStream,
  agent: agentStream,
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
