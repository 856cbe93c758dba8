import fc from 'fast-check'
import { IGNORED_EVENTS } from './streamEvents.ts'
import { WORKFLOW_EVENTS } from '../workflowRun/workflowEvents.ts'
import { answerStreams, blockingChat } from '../answer/answerStreams.testing.ts'
import { blockingWorkflow, runStreams } from '../workflowRun/runStreams.testing.ts'

/** Malformed events for property tests. */

export const EVENT_NAMES = [
  ...IGNORED_EVENTS,
  ...WORKFLOW_EVENTS,
  'message',
  'agent_message',
  'agent_thought',
  'message_file',
  'message_replace',
  'message_end',
  'reasoning_chunk',
  'error',
]
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...EVENT_NAMES) },
  { weight: 1, arbitrary: fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', '') },
  { weight: 1, arbitrary: fc.string() },
)
/** A few ids, so that they collide. */
const ids = fc.constantFrom('a', 'b', 'a#2', '', '__proto__')
/**
 * Excludes names of one letter preceded by a backslash: the `JSON.parse` of Node 24 (V8 13.6) reads `{"40":1,"\\"":2}`
 * as if the second name were the backslash, after it has read a few similar ones.
 */
const key = fc.string().filter((name) => name.length !== 1 || JSON.stringify(name).length === 3)
const arbitraryJunk = fc.anything({
  key,
  withNullPrototype: true,
  withBigInt: true,
  withDate: true,
  withMap: true,
  maxDepth: 3,
})
const orJunk = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: arbitraryJunk })
const texts = orJunk(fc.string())
const numbers = orJunk(fc.oneof(fc.integer({ min: -2, max: 9 }), fc.double()))
const records = orJunk(fc.dictionary(fc.oneof(ids, key), arbitraryJunk, { maxKeys: 3 }))

const data = fc.record(
  {
    id: orJunk(ids),
    node_id: orJunk(ids),
    node_execution_id: orJunk(ids),
    form_id: orJunk(ids),
    iteration_id: orJunk(ids),
    loop_id: orJunk(ids),
    workflow_id: orJunk(ids),
    text: texts,
    reasoning: texts,
    title: texts,
    status: orJunk(fc.constantFrom('running', 'succeeded', 'failed', 'stopped', 'paused', 'new-word')),
    error: texts,
    index: numbers,
    retry_index: numbers,
    elapsed_time: numbers,
    total_tokens: numbers,
    inputs: records,
    outputs: records,
    metadata: records,
    execution_metadata: records,
    files: orJunk(fc.array(arbitraryJunk, { maxLength: 2 })),
    reasons: arbitraryJunk,
  },
  { requiredKeys: [] },
)
const arbitraryEvent = fc.record(
  {
    event: orJunk(names),
    task_id: orJunk(ids),
    message_id: orJunk(ids),
    workflow_run_id: orJunk(ids),
    conversation_id: orJunk(ids),
    id: orJunk(ids),
    position: numbers,
    created_at: numbers,
    answer: texts,
    thought: texts,
    url: texts,
    mode: texts,
    reason: texts,
    code: texts,
    message: texts,
    status: numbers,
    tool_labels: records,
    message_files: orJunk(fc.array(texts, { maxLength: 2 })),
    files: orJunk(fc.array(records, { maxLength: 2 })),
    metadata: orJunk(
      fc.record(
        {
          usage: records,
          retriever_resources: orJunk(fc.array(records, { maxLength: 2 })),
          annotation_reply: arbitraryJunk,
        },
        { requiredKeys: [] },
      ),
    ),
    data: orJunk(data),
  },
  { requiredKeys: [] },
)
const RECORDED_EVENTS = [...Object.values(answerStreams).flat(), ...Object.values(runStreams).flat()]

/** Any value: events of every name with valid and invalid fields, recorded ones, blocking replies, garbage. */
export const anyEvent: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: arbitraryEvent },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...RECORDED_EVENTS, blockingChat, blockingWorkflow) },
  { weight: 1, arbitrary: arbitraryJunk },
)
export const anyEvents = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyEvent, { maxLength: 25 }) },
  { weight: 1, arbitrary: fc.array(fc.anything({ key })) },
)
