import fc from 'fast-check'
import { QUIET, RUN_EVENTS } from './run.ts'
import { answerStreams, blockingChat } from './answer-streams.testing.ts'
import { blockingWorkflow, runStreams } from './run-streams.testing.ts'

/** Events as no platform should send them, for properties. */

export const EVENT_NAMES = [
  ...QUIET,
  ...RUN_EVENTS,
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
/** Few ids, so that they meet. */
const ids = fc.constantFrom('a', 'b', 'a#2', '', '__proto__')
/**
 * No name that is one letter with a backslash before it: the `JSON.parse` of Node 24 (V8 13.6) reads `{"40":1,"\\"":2}` as if the
 * second name were the backslash, once it has read a few like it.
 */
const key = fc.string().filter((name) => name.length !== 1 || JSON.stringify(name).length === 3)
const junk = fc.anything({ key, withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, maxDepth: 3 })
const or = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: junk })
const texts = or(fc.string())
const numbers = or(fc.oneof(fc.integer({ min: -2, max: 9 }), fc.double()))
const records = or(fc.dictionary(fc.oneof(ids, key), junk, { maxKeys: 3 }))

const data = fc.record(
  {
    id: or(ids),
    node_id: or(ids),
    node_execution_id: or(ids),
    form_id: or(ids),
    iteration_id: or(ids),
    loop_id: or(ids),
    workflow_id: or(ids),
    text: texts,
    reasoning: texts,
    title: texts,
    status: or(fc.constantFrom('running', 'succeeded', 'failed', 'stopped', 'paused', 'new-word')),
    error: texts,
    index: numbers,
    retry_index: numbers,
    elapsed_time: numbers,
    total_tokens: numbers,
    inputs: records,
    outputs: records,
    metadata: records,
    execution_metadata: records,
    files: or(fc.array(junk, { maxLength: 2 })),
    reasons: junk,
  },
  { requiredKeys: [] },
)
const made = fc.record(
  {
    event: or(names),
    task_id: or(ids),
    message_id: or(ids),
    workflow_run_id: or(ids),
    conversation_id: or(ids),
    id: or(ids),
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
    message_files: or(fc.array(texts, { maxLength: 2 })),
    files: or(fc.array(records, { maxLength: 2 })),
    metadata: or(
      fc.record(
        { usage: records, retriever_resources: or(fc.array(records, { maxLength: 2 })), annotation_reply: junk },
        { requiredKeys: [] },
      ),
    ),
    data: or(data),
  },
  { requiredKeys: [] },
)
const RECORDED = [...Object.values(answerStreams).flat(), ...Object.values(runStreams).flat()]

/** Any value at all: events of every name with right and wrong fields, recorded ones, blocking replies, rubbish. */
export const anyEvent: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: made },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...RECORDED, blockingChat, blockingWorkflow) },
  { weight: 1, arbitrary: junk },
)
export const anyEvents = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyEvent, { maxLength: 25 }) },
  { weight: 1, arbitrary: fc.array(fc.anything({ key })) },
)
