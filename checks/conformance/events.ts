import { WorkflowRun, type Table } from './fields.ts'

/** What the events of a stream hold, about which the interface document is silent: as the real platforms send them. */

const completion: Table = { event: 'string', task_id: 'uuid', message_id: 'uuid', created_at: 'integer' }
/** On every event of a stream. */
export const ENVELOPES: Record<'chat' | 'completion' | 'workflow', Table> = {
  completion,
  chat: { ...completion, conversation_id: 'uuid' },
  workflow: { event: 'string', task_id: 'uuid', workflow_run_id: 'uuid' },
}

/** Beside the envelope, by the name of the event. */
export const MESSAGE_EVENTS: Record<string, Table> = {
  message: { id: 'uuid', answer: 'string' },
  message_end: { id: 'uuid', metadata: 'object' },
}

const node: Table = {
  id: 'uuid',
  node_id: 'string',
  node_type: 'string',
  title: 'string',
  created_at: 'integer',
}
const nodeRun: Table = {
  ...node,
  index: 'integer',
  predecessor_node_id: 'string or null',
  iteration_id: 'string or null',
  loop_id: 'string or null',
  inputs: 'object or null',
  inputs_truncated: 'boolean',
}
const ended: Table = {
  outputs: 'object or null',
  outputs_truncated: 'boolean',
  status: 'string',
  error: 'string or null',
  elapsed_time: 'number',
  execution_metadata: 'object or null',
  finished_at: 'integer',
}

/** In the `data` of an event, by its name. */
export const WORKFLOW_EVENTS: Record<string, Table> = {
  workflow_started: { id: 'uuid', workflow_id: 'uuid', inputs: 'object', created_at: 'integer' },
  node_started: { ...nodeRun, extras: 'object' },
  node_finished: { ...nodeRun, ...ended, process_data: 'object or null', files: 'objects or null' },
  iteration_started: { ...node, extras: 'object', metadata: 'object', inputs: 'object' },
  iteration_next: { ...node, extras: 'object', index: 'integer' },
  iteration_completed: { ...node, ...ended, extras: 'object', total_tokens: 'integer', steps: 'integer' },
  text_chunk: { text: 'string', from_variable_selector: 'strings or null' },
  workflow_finished: { ...WorkflowRun, created_by: 'object', exceptions_count: 'integer', files: 'objects' },
}
