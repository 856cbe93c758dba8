import { recordUnknownEvent, UNNAMED_EVENT, NOT_AN_OBJECT } from '../stream/unknownEvents.ts'
import { IGNORED_EVENTS, toStreamProblem } from '../stream/streamEvents.ts'
import { closeGaps } from '../stream/streamGap.ts'
import { asId, asList, asNumber, asRecord, asText } from '../stream/untrustedJson.ts'
import { emptyRun, type RunState } from '../workflowRun/runState.ts'
import { foldRun, WORKFLOW_EVENTS } from '../workflowRun/workflowEvents.ts'
import { readMetadata } from './answerMetadata.ts'
import { type MessageFile, upsertFile, upsertThought } from './answerParts.ts'
import { type AnswerState, isModerated } from './answerState.ts'

type Data = Record<string, unknown>

/**
 * Folds one event of a chat or completion stream, or a whole blocking reply, into the answer. Accepts any value:
 * non-events and events without their required fields go to `unknown`. Never throws and never mutates its arguments.
 */
export function foldAnswer(answer: AnswerState, input: unknown): AnswerState {
  if (input === undefined) return answer
  const event = asRecord(input)
  if (!event) return recordUnknownEvent(answer, NOT_AN_OBJECT, input)
  if (isReply(event)) return foldReply(answer, event)
  const name = asText(event.event)
  if (name === null) return recordUnknownEvent(answer, UNNAMED_EVENT, event)
  if (IGNORED_EVENTS.includes(name)) return answer
  if (WORKFLOW_EVENTS.includes(name)) return foldWorkflow(answer, name, event)
  return foldKnownEvent(answer, name, event) ?? recordUnknownEvent(countLate(answer), name, event)
}

/** Null if the event has no known name or lacks its required fields. */
function foldKnownEvent(answer: AnswerState, name: string, event: Data): AnswerState | null {
  if (name === 'message_end') return foldEnd(answer, event)
  if (name === 'error') return foldError(answer, event)
  const change = toChange(answer, name, event)
  if (!change) return null
  const isAfterModeration = change.text !== undefined && name !== 'message_replace' && isModerated(answer)
  if (answer.ended || isAfterModeration) return { ...answer, late: answer.late + 1 }
  return { ...answer, ...readIds(answer, event), ...change }
}

function toChange(answer: AnswerState, name: string, event: Data): Partial<AnswerState> | null {
  const text = asText(event.answer)
  switch (name) {
    case 'message':
      if (text !== null && answer.by_agent && text.trim() !== '') return closeSteps(answer, text)
      return text === null ? null : { text: answer.text + text }
    case 'agent_message':
      return text === null ? null : { text: answer.text + text, by_agent: true }
    case 'message_replace':
      return text === null ? null : replaceText(answer, text, asText(event.reason) ?? '')
    case 'message_file':
      return text !== null && asId(event.url) === null ? { text: answer.text + text } : withFile(answer, event)
    case 'agent_thought': {
      const thoughts = upsertThought(answer.thoughts, event)
      return thoughts && { thoughts, steps: openStep(answer, asId(event.id)) }
    }
    case 'reasoning_chunk': {
      const reasoning = asText(asRecord(event.data)?.reasoning)
      return reasoning === null ? null : { reasoning: answer.reasoning + reasoning }
    }
    default:
      return null
  }
}

/** A resumed stream begins with the text so far; a moderation gives its reason there. */
function replaceText(answer: AnswerState, text: string, reason: string): Partial<AnswerState> {
  if (!answer.gaps || reason !== '') return { text, replaced: reason }
  return text.length < answer.text.length ? {} : { text, ...closeGaps(answer) }
}

function withFile(answer: AnswerState, fileEvent: Data): Partial<AnswerState> | null {
  const files = upsertFile(answer.files, fileEvent)
  return files && { files }
}

const readIds = (answer: AnswerState, event: Data) => ({
  conversation_id: asId(event.conversation_id) ?? answer.conversation_id,
  message_id: asId(event.message_id) ?? answer.message_id,
  task_id: asId(event.task_id) ?? answer.task_id,
  created_at: asNumber(event.created_at) ?? answer.created_at,
})

const countLate = (answer: AnswerState): AnswerState => (answer.ended ? { ...answer, late: answer.late + 1 } : answer)

function foldEnd(answer: AnswerState, event: Data): AnswerState {
  if (hasEnded(answer)) return countLate(answer)
  return {
    ...answer,
    ...readIds(answer, event),
    ...readMetadata(event.metadata),
    files: asList(event.files).reduce<MessageFile[]>(
      (files, said) => upsertFile(files, asRecord(said) ?? {}) ?? files,
      answer.files,
    ),
    ended: true,
  }
}

/** A failure or a pause also ends an answer; its `message_end` may still follow. */
const hasEnded = (answer: AnswerState): boolean =>
  answer.ended && (answer.problem ? answer.metadata !== null : answer.run.paused === null)

/** The platform's own error is more specific than that of a failed workflow, so it replaces that one. */
function foldError(answer: AnswerState, event: Data): AnswerState {
  if (answer.problem && (answer.problem.status ?? answer.problem.code) !== null) return countLate(answer)
  const run = hasStarted(answer.run) && !answer.run.ended ? foldRun(answer.run, event) : answer.run
  return { ...answer, ...readIds(answer, event), run, problem: toStreamProblem(event), ended: true }
}

const hasStarted = (run: RunState): boolean => run.status !== null || run.nodes.length > 0

function foldWorkflow(answer: AnswerState, name: string, event: Data): AnswerState {
  return answer.ended && !hasStarted(answer.run)
    ? foldRunAfterEnd(answer, name, event)
    : foldStartedRun(answer, name, event)
}

/** If the workflow runs after all, the end of the answer was premature. */
function foldRunAfterEnd({ run_after_end = emptyRun, ...answer }: AnswerState, name: string, event: Data): AnswerState {
  const run = foldRun(run_after_end, event)
  const hasRun = run.nodes.length > 0 || run.text !== '' || run.forms.length > 0 || run.paused !== null
  if (hasRun || (run.ended && run.status !== 'failed'))
    return foldStartedRun({ ...answer, run: run_after_end, ended: answer.problem !== null }, name, event)
  return { ...answer, run_after_end: run }
}

function foldStartedRun(answer: AnswerState, name: string, event: Data): AnswerState {
  const run = foldRun(answer.run, event)
  const next = { ...answer, ...readIds(answer, event), run }
  if (run.paused) return { ...next, ended: true }
  if (answer.run.paused && !run.ended && !answer.problem) return { ...next, ended: false }
  if (name !== 'workflow_finished') return next
  // Its `message_end` may have come before the workflow.
  if (run.status !== 'failed') return answer.metadata === null ? next : { ...next, ended: true }
  return { ...next, problem: answer.problem ?? { status: null, code: null, message: run.error }, ended: true }
}

/** A blocking reply has the answer and its end in one object. */
const isReply = (event: Data): boolean =>
  typeof event.answer === 'string' &&
  (asText(event.event) === null ||
    (event.event === 'message' && (typeof event.mode === 'string' || asRecord(event.metadata) !== null)))

function foldReply(answer: AnswerState, reply: Data): AnswerState {
  if (answer.ended) return countLate(answer)
  return {
    ...answer,
    ...readIds(answer, reply),
    ...readMetadata(reply.metadata),
    text: asText(reply.answer) ?? answer.text,
    mode: asText(reply.mode) ?? answer.mode,
    // A paused chatflow sends the state of its workflow next to the answer.
    run: asRecord(reply.data) ? foldRun(answer.run, { ...reply, event: undefined }) : answer.run,
    ended: true,
  }
}

/** A thought is sent again while it fills in: its step continues. */
function openStep({ steps = [], text }: AnswerState, thought: string | null): NonNullable<AnswerState['steps']> {
  if (thought === null || steps.at(-1)?.thought === thought) return steps
  return [...steps, { thought, start: text.length }]
}

/**
 * The closing `message` of an agent is its answer, which may repeat the end of the `agent_message` text. The text
 * before it belongs to the thoughts of its steps.
 */
function closeSteps(answer: AnswerState, message: string): Partial<AnswerState> {
  const { text, steps = [], message_id } = answer
  const [said, repeated] = [text.trimEnd(), message.trim()]
  const end = said.endsWith(repeated) ? said.length - repeated.length : text.length
  const words = message.startsWith(text) ? '' : text.slice(0, end)
  const starts = [{ thought: message_id ?? 'answer', start: 0 }, ...steps]
  const thoughts = starts.reduce(
    (list, { thought, start }, index) => addWords(list, thought, words.slice(start, starts[index + 1]?.start)),
    answer.thoughts,
  )
  return { text: message, thoughts, by_agent: false, steps: [] }
}

/** A thought may already contain the text, as in agent apps of older releases. */
function addWords(thoughts: AnswerState['thoughts'], id: string, words: string): AnswerState['thoughts'] {
  const step = thoughts.find((thought) => thought.id === id)
  const known = step?.thought ?? ''
  if (words.trim() === '' || known.includes(words.trim())) return thoughts
  const thought = known === '' ? words : `${known}\n${words}`
  // Text before the first thought is a step of its own.
  const upserted = upsertThought(step ? thoughts : [], { id, thought }) ?? []
  return step ? upserted : [...upserted, ...thoughts]
}
