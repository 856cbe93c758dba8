import { z } from 'zod'
import * as shape from '#contract/platform/schemas.ts'
import { workflowEvents } from '../workflowRun/workflowEvents.ts'

/**
 * The events of the three streams by name, as the platforms are known to send them; the interface document does not
 * describe them. Used only by the drift check; the folds accept anything.
 */
export type EventSchemas = Readonly<Record<string, z.ZodType>>

const { stringField, integerField, timestampField, objectField } = shape
const stringList = z.array(stringField)

/** Fields of every event. */
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
    dify_model_identity: shape.sentSince('1.16.1', stringField),
    reference: shape.sentSince('1.16.1', stringField),
  },
)

const errorFields = { status: integerField, code: stringField, message: stringField }

/** The record of one event. Its name is the same in every stream, so that a difference in it is one fact. */
const eventSchema = (event: string, fields: z.ZodRawShape, since?: shape.Release): z.ZodType => {
  const schema = shape.named(`event ${event}`, shape.looseRecord({}, fields))
  return since ? shape.sentSince(since, schema) : schema
}

const PING_SCHEMA = eventSchema('ping', {})

/** The message events of a chat or completion, with the envelope of either. */
const messageEvents = (common: z.ZodRawShape): EventSchemas => ({
  ping: PING_SCHEMA,
  message: eventSchema('message', {
    ...common,
    id: stringField,
    answer: stringField,
    from_variable_selector: stringList,
  }),
  message_file: eventSchema('message_file', {
    ...common,
    id: stringField,
    type: stringField,
    belongs_to: stringField,
    url: stringField,
    answer: stringField,
  }),
  message_replace: eventSchema('message_replace', { ...common, answer: stringField, reason: stringField }),
  message_end: eventSchema('message_end', {
    ...common,
    id: stringField,
    metadata: shape.MessageMetadata,
    files: z.array(file),
  }),
  tts_message: eventSchema('tts_message', { ...common, audio: stringField }),
  tts_message_end: eventSchema('tts_message_end', { ...common, audio: stringField }),
  error: eventSchema('error', { ...common, ...errorFields }),
})

const agentEvents = (common: z.ZodRawShape): EventSchemas => ({
  agent_message: eventSchema('agent_message', { ...common, id: stringField, answer: stringField }),
  agent_thought: eventSchema('agent_thought', {
    ...common,
    id: stringField,
    position: integerField,
    thought: stringField,
    observation: stringField,
    tool: stringField,
    tool_labels: objectField,
    tool_input: stringField,
    message_files: stringList,
  }),
})

const workflowEventSchemas = (common: z.ZodRawShape): EventSchemas =>
  Object.fromEntries(
    Object.entries(workflowEvents).map(([name, { data, since }]) => [
      name,
      eventSchema(name, { ...common, workflow_run_id: stringField, data: shape.looseRecord({}, data) }, since),
    ]),
  )

/**
 * By entry name. Not part of the entries, since no screen needs them. A chatflow mixes the events of its workflow with
 * those of its answer.
 */
export const eventSchemas: Readonly<Record<string, EventSchemas>> = {
  'chat.send': { ...messageEvents(chatEnvelope), ...agentEvents(chatEnvelope), ...workflowEventSchemas(chatEnvelope) },
  'completion.send': messageEvents(envelope),
  'workflows.run': {
    ping: PING_SCHEMA,
    ...workflowEventSchemas(workflowEnvelope),
    tts_message: eventSchema('tts_message', { ...workflowEnvelope, audio: stringField }),
    tts_message_end: eventSchema('tts_message_end', { ...workflowEnvelope, audio: stringField }),
    error: eventSchema('error', { ...workflowEnvelope, ...errorFields }),
  },
}
