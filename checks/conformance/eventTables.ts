import { WorkflowRun, type FieldTable } from './fieldTables.ts'

/** Fields of the events of a stream, as the real platforms send them; the interface document does not describe them. */

const completionEnvelope: FieldTable = { event: 'string', task_id: 'uuid', message_id: 'uuid', created_at: 'integer' }
/** Fields of every event. */
export const ENVELOPE_TABLES: Record<'chat' | 'completion' | 'workflow', FieldTable> = {
  completion: completionEnvelope,
  chat: { ...completionEnvelope, conversation_id: 'uuid' },
  workflow: { event: 'string', task_id: 'uuid', workflow_run_id: 'uuid' },
}

/** Fields in addition to the envelope, by event name. */
export const MESSAGE_EVENT_TABLES: Record<string, FieldTable> = {
  message: { id: 'uuid', answer: 'string' },
  message_end: { id: 'uuid', metadata: 'object' },
}

const nodeFields: FieldTable = {
  id: 'uuid',
  node_id: 'string',
  node_type: 'string',
  title: 'string',
  created_at: 'integer',
}
const nodeRunFields: FieldTable = {
  ...nodeFields,
  index: 'integer',
  predecessor_node_id: 'string or null',
  iteration_id: 'string or null',
  loop_id: 'string or null',
  inputs: 'object or null',
  inputs_truncated: 'boolean',
}
const nodeEndFields: FieldTable = {
  outputs: 'object or null',
  outputs_truncated: 'boolean',
  status: 'string',
  error: 'string or null',
  elapsed_time: 'number',
  execution_metadata: 'object or null',
  finished_at: 'integer',
}

/** In the `data` of an event, by its name. */
export const WORKFLOW_EVENT_TABLES: Record<string, FieldTable> = {
  workflow_started: { id: 'uuid', workflow_id: 'uuid', inputs: 'object', created_at: 'integer' },
  node_started: { ...nodeRunFields, extras: 'object' },
  node_finished: { ...nodeRunFields, ...nodeEndFields, process_data: 'object or null', files: 'objects or null' },
  iteration_started: { ...nodeFields, extras: 'object', metadata: 'object', inputs: 'object' },
  iteration_next: { ...nodeFields, extras: 'object', index: 'integer' },
  iteration_completed: { ...nodeFields, ...nodeEndFields, extras: 'object', total_tokens: 'integer', steps: 'integer' },
  text_chunk: { text: 'string', from_variable_selector: 'strings or null' },
  workflow_finished: { ...WorkflowRun, created_by: 'object', exceptions_count: 'integer', files: 'objects' },
}
