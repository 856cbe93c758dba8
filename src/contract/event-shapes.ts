import { z } from 'zod'
import * as shape from './shapes.ts'

/**
 * The events of the three streams by name, about which the interface document is silent: as the platforms are known to
 * send them. For the drift check alone; the folds take what they find.
 */
export type EventShapes = Readonly<Record<string, z.ZodType>>

const { text, integer, timestamp, flag, object } = shape
const texts = z.array(text)
const anything = z.unknown()

/** On every event. */
const envelope = { event: text, task_id: text, message_id: text, created_at: timestamp }
const ofChat = { ...envelope, conversation_id: text }
const ofWorkflow = { event: text, task_id: text, workflow_run_id: text }

const file = shape.record(
  {},
  {
    id: text,
    related_id: text,
    type: text,
    filename: text,
    extension: text,
    mime_type: text,
    size: integer,
    transfer_method: text,
    url: text,
    upload_file_id: text,
    remote_url: text,
    belongs_to: text,
  },
)

const problem = { status: integer, code: text, message: text }

/** The message events of a chat or completion, with the envelope of either. */
const messageEvents = (common: z.ZodRawShape): EventShapes => ({
  ping: z.looseObject({}),
  message: shape.record({}, { ...common, id: text, answer: text, from_variable_selector: texts }),
  message_file: shape.record({}, { ...common, id: text, type: text, belongs_to: text, url: text, answer: text }),
  message_replace: shape.record({}, { ...common, answer: text, reason: text }),
  message_end: shape.record({}, { ...common, id: text, metadata: shape.Metadata, files: z.array(file) }),
  tts_message: shape.record({}, { ...common, audio: text }),
  tts_message_end: shape.record({}, { ...common, audio: text }),
  error: shape.record({}, { ...common, ...problem }),
})

const agentEvents = (common: z.ZodRawShape): EventShapes => ({
  agent_message: shape.record({}, { ...common, id: text, answer: text }),
  agent_thought: shape.record(
    {},
    {
      ...common,
      id: text,
      position: integer,
      thought: text,
      observation: text,
      tool: text,
      tool_labels: object,
      tool_input: text,
      message_files: texts,
    },
  ),
})

const node = {
  id: text,
  node_id: text,
  node_type: text,
  title: text,
  index: integer,
  predecessor_node_id: text,
  inputs: object,
  inputs_truncated: flag,
  created_at: timestamp,
  iteration_id: text,
  loop_id: text,
  agent_strategy: anything,
}
const nodeEnd = {
  process_data: object,
  process_data_truncated: flag,
  outputs: object,
  outputs_truncated: flag,
  status: shape.word('pending', 'running', 'succeeded', 'failed', 'exception', 'stopped', 'paused', 'retry'),
  error: text,
  elapsed_time: z.number(),
  execution_metadata: z.looseObject({}),
  finished_at: timestamp,
  files: z.array(z.looseObject({})),
}
const round = { id: text, node_id: text, node_type: text, title: text, created_at: timestamp, extras: object }
const given = { inputs: object, inputs_truncated: flag }
const roundsEnd = {
  ...round,
  ...given,
  outputs: object,
  outputs_truncated: flag,
  status: shape.word('succeeded', 'failed', 'stopped', 'exception'),
  error: text,
  elapsed_time: z.number(),
  total_tokens: integer,
  execution_metadata: z.looseObject({}),
  finished_at: timestamp,
  steps: integer,
}
const parallel = {
  parallel_id: text,
  parallel_branch_id: text,
  parent_parallel_id: text,
  parent_parallel_start_node_id: text,
  iteration_id: text,
  loop_id: text,
  created_at: timestamp,
}
const sums = { elapsed_time: z.number(), total_tokens: integer, total_steps: integer, created_at: timestamp }

/** What stands in `data`, by the name of the event. */
const DATA: Record<string, z.ZodRawShape> = {
  workflow_started: { id: text, workflow_id: text, inputs: object, created_at: timestamp, reason: text },
  node_started: { ...node, extras: object },
  node_finished: { ...node, ...nodeEnd },
  node_retry: { ...node, ...nodeEnd, retry_index: integer },
  iteration_started: { ...round, ...given, metadata: object },
  iteration_next: { ...round, index: integer },
  iteration_completed: roundsEnd,
  loop_started: { ...round, ...given, metadata: object },
  loop_next: { ...round, index: integer, pre_loop_output: anything },
  loop_completed: roundsEnd,
  text_chunk: { text, from_variable_selector: texts },
  text_replace: { text },
  reasoning_chunk: { message_id: text, reasoning: text, node_id: text, is_final: flag },
  agent_log: {
    node_execution_id: text,
    id: text,
    label: text,
    parent_id: text,
    error: text,
    status: text,
    data: object,
    metadata: object,
    node_id: text,
  },
  workflow_finished: {
    ...sums,
    id: text,
    workflow_id: text,
    status: shape.word('succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
    outputs: object,
    error: text,
    created_by: object,
    finished_at: timestamp,
    exceptions_count: integer,
    files: z.array(z.looseObject({})),
  },
  workflow_paused: {
    ...sums,
    workflow_run_id: text,
    paused_nodes: z.array(anything),
    outputs: object,
    reasons: z.array(anything),
    status: shape.word('paused'),
  },
  human_input_required: {
    form_id: text,
    node_id: text,
    node_title: text,
    form_content: text,
    inputs: z.array(anything),
    actions: z.array(anything),
    display_in_ui: flag,
    form_token: text,
    approval_channels: z.array(anything),
    resolved_default_values: object,
    expiration_time: integer,
  },
  human_input_form_filled: {
    node_id: text,
    node_title: text,
    rendered_content: text,
    action_id: text,
    action_text: text,
    submitted_data: object,
  },
  human_input_form_timeout: { node_id: text, node_title: text, expiration_time: integer },
  parallel_branch_started: parallel,
  parallel_branch_finished: { ...parallel, status: shape.word('succeeded', 'failed'), error: text },
}

const runEvents = (common: z.ZodRawShape): EventShapes =>
  Object.fromEntries(
    Object.entries(DATA).map(([name, data]) => [
      name,
      shape.record({}, { ...common, workflow_run_id: text, data: shape.record({}, data) }),
    ]),
  )

/**
 * By the name of the entry. They stand here and not with the entries, since no screen needs them. A chatflow mixes the
 * events of its workflow with those of its answer.
 */
export const eventShapes: Readonly<Record<string, EventShapes>> = {
  'chat.send': { ...messageEvents(ofChat), ...agentEvents(ofChat), ...runEvents(ofChat) },
  'completion.send': messageEvents(envelope),
  'workflows.run': {
    ping: z.looseObject({}),
    ...runEvents(ofWorkflow),
    tts_message: shape.record({}, { ...ofWorkflow, audio: text }),
    tts_message_end: shape.record({}, { ...ofWorkflow, audio: text }),
    error: shape.record({}, { ...ofWorkflow, ...problem }),
  },
}
