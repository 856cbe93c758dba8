import { z } from 'zod'
import * as shape from './schemas.ts'

/**
 * The events of the three streams by name, about which the interface document is silent: as the platforms are known to
 * send them. For the drift check alone; the folds take what they find.
 */
export type EventSchemas = Readonly<Record<string, z.ZodType>>

const { stringField, integerField, timestampField, booleanField, objectField } = shape
const stringList = z.array(stringField)
const anyValue = z.unknown()

/** On every event. */
const envelope = { event: stringField, task_id: stringField, message_id: stringField, created_at: timestampField }
const chatEnvelope = { ...envelope, conversation_id: stringField }
const workflowEnvelope = { event: stringField, task_id: stringField, workflow_run_id: stringField }

const file = shape.looseRecord(
  {},
  {
    id: stringField,
    related_id: stringField,
    type: stringField,
    filename: stringField,
    extension: stringField,
    mime_type: stringField,
    size: integerField,
    transfer_method: stringField,
    url: stringField,
    upload_file_id: stringField,
    remote_url: stringField,
    belongs_to: stringField,
  },
)

const errorFields = { status: integerField, code: stringField, message: stringField }

/** The message events of a chat or completion, with the envelope of either. */
const messageEvents = (common: z.ZodRawShape): EventSchemas => ({
  ping: z.looseObject({}),
  message: shape.looseRecord(
    {},
    { ...common, id: stringField, answer: stringField, from_variable_selector: stringList },
  ),
  message_file: shape.looseRecord(
    {},
    { ...common, id: stringField, type: stringField, belongs_to: stringField, url: stringField, answer: stringField },
  ),
  message_replace: shape.looseRecord({}, { ...common, answer: stringField, reason: stringField }),
  message_end: shape.looseRecord(
    {},
    { ...common, id: stringField, metadata: shape.MessageMetadata, files: z.array(file) },
  ),
  tts_message: shape.looseRecord({}, { ...common, audio: stringField }),
  tts_message_end: shape.looseRecord({}, { ...common, audio: stringField }),
  error: shape.looseRecord({}, { ...common, ...errorFields }),
})

const agentEvents = (common: z.ZodRawShape): EventSchemas => ({
  agent_message: shape.looseRecord({}, { ...common, id: stringField, answer: stringField }),
  agent_thought: shape.looseRecord(
    {},
    {
      ...common,
      id: stringField,
      position: integerField,
      thought: stringField,
      observation: stringField,
      tool: stringField,
      tool_labels: objectField,
      tool_input: stringField,
      message_files: stringList,
    },
  ),
})

const nodeFields = {
  id: stringField,
  node_id: stringField,
  node_type: stringField,
  title: stringField,
  index: integerField,
  predecessor_node_id: stringField,
  inputs: objectField,
  inputs_truncated: booleanField,
  created_at: timestampField,
  iteration_id: stringField,
  loop_id: stringField,
  agent_strategy: anyValue,
}
const nodeEndFields = {
  process_data: objectField,
  process_data_truncated: booleanField,
  outputs: objectField,
  outputs_truncated: booleanField,
  status: shape.openEnum('pending', 'running', 'succeeded', 'failed', 'exception', 'stopped', 'paused', 'retry'),
  error: stringField,
  elapsed_time: z.number(),
  execution_metadata: z.looseObject({}),
  finished_at: timestampField,
  files: z.array(z.looseObject({})),
}
const roundFields = {
  id: stringField,
  node_id: stringField,
  node_type: stringField,
  title: stringField,
  created_at: timestampField,
  extras: objectField,
}
const inputFields = { inputs: objectField, inputs_truncated: booleanField }
const iterationEndFields = {
  ...roundFields,
  ...inputFields,
  outputs: objectField,
  outputs_truncated: booleanField,
  status: shape.openEnum('succeeded', 'failed', 'stopped', 'exception'),
  error: stringField,
  elapsed_time: z.number(),
  total_tokens: integerField,
  execution_metadata: z.looseObject({}),
  finished_at: timestampField,
  steps: integerField,
}
const parallelBranchFields = {
  parallel_id: stringField,
  parallel_branch_id: stringField,
  parent_parallel_id: stringField,
  parent_parallel_start_node_id: stringField,
  iteration_id: stringField,
  loop_id: stringField,
  created_at: timestampField,
}
const runTotalFields = {
  elapsed_time: z.number(),
  total_tokens: integerField,
  total_steps: integerField,
  created_at: timestampField,
}

/** What stands in `data`, by the name of the event. */
const WORKFLOW_EVENT_DATA: Record<string, z.ZodRawShape> = {
  workflow_started: {
    id: stringField,
    workflow_id: stringField,
    inputs: objectField,
    created_at: timestampField,
    reason: stringField,
  },
  node_started: { ...nodeFields, extras: objectField },
  node_finished: { ...nodeFields, ...nodeEndFields },
  node_retry: { ...nodeFields, ...nodeEndFields, retry_index: integerField },
  iteration_started: { ...roundFields, ...inputFields, metadata: objectField },
  iteration_next: { ...roundFields, index: integerField },
  iteration_completed: iterationEndFields,
  loop_started: { ...roundFields, ...inputFields, metadata: objectField },
  loop_next: { ...roundFields, index: integerField, pre_loop_output: anyValue },
  loop_completed: iterationEndFields,
  text_chunk: { text: stringField, from_variable_selector: stringList },
  text_replace: { text: stringField },
  reasoning_chunk: { message_id: stringField, reasoning: stringField, node_id: stringField, is_final: booleanField },
  agent_log: {
    node_execution_id: stringField,
    id: stringField,
    label: stringField,
    parent_id: stringField,
    error: stringField,
    status: stringField,
    data: objectField,
    metadata: objectField,
    node_id: stringField,
  },
  workflow_finished: {
    ...runTotalFields,
    id: stringField,
    workflow_id: stringField,
    status: shape.openEnum('succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
    outputs: objectField,
    error: stringField,
    created_by: objectField,
    finished_at: timestampField,
    exceptions_count: integerField,
    files: z.array(z.looseObject({})),
  },
  workflow_paused: {
    ...runTotalFields,
    workflow_run_id: stringField,
    paused_nodes: z.array(anyValue),
    outputs: objectField,
    reasons: z.array(anyValue),
    status: shape.openEnum('paused'),
  },
  human_input_required: {
    form_id: stringField,
    node_id: stringField,
    node_title: stringField,
    form_content: stringField,
    inputs: z.array(anyValue),
    actions: z.array(anyValue),
    display_in_ui: booleanField,
    form_token: stringField,
    approval_channels: z.array(anyValue),
    resolved_default_values: objectField,
    expiration_time: integerField,
  },
  human_input_form_filled: {
    node_id: stringField,
    node_title: stringField,
    rendered_content: stringField,
    action_id: stringField,
    action_text: stringField,
    submitted_data: objectField,
  },
  human_input_form_timeout: { node_id: stringField, node_title: stringField, expiration_time: integerField },
  parallel_branch_started: parallelBranchFields,
  parallel_branch_finished: {
    ...parallelBranchFields,
    status: shape.openEnum('succeeded', 'failed'),
    error: stringField,
  },
}

const workflowEvents = (common: z.ZodRawShape): EventSchemas =>
  Object.fromEntries(
    Object.entries(WORKFLOW_EVENT_DATA).map(([name, data]) => [
      name,
      shape.looseRecord({}, { ...common, workflow_run_id: stringField, data: shape.looseRecord({}, data) }),
    ]),
  )

/**
 * By the name of the entry. They stand here and not with the entries, since no screen needs them. A chatflow mixes the
 * events of its workflow with those of its answer.
 */
export const eventSchemas: Readonly<Record<string, EventSchemas>> = {
  'chat.send': { ...messageEvents(chatEnvelope), ...agentEvents(chatEnvelope), ...workflowEvents(chatEnvelope) },
  'completion.send': messageEvents(envelope),
  'workflows.run': {
    ping: z.looseObject({}),
    ...workflowEvents(workflowEnvelope),
    tts_message: shape.looseRecord({}, { ...workflowEnvelope, audio: stringField }),
    tts_message_end: shape.looseRecord({}, { ...workflowEnvelope, audio: stringField }),
    error: shape.looseRecord({}, { ...workflowEnvelope, ...errorFields }),
  },
}
