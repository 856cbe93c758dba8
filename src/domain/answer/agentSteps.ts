import type { AnswerState } from './answerState.ts'
import { upsertThought } from './answerParts.ts'

/** A thought is sent again while it fills in: its step goes on. */
export function openStep({ steps = [], text }: AnswerState, thought: string | null): NonNullable<AnswerState['steps']> {
  if (thought === null || steps.at(-1)?.thought === thought) return steps
  return [...steps, { thought, start: text.length }]
}

/**
 * The closing `message` of an agent is its answer, which may repeat the end of what was sent as `agent_message`. The words
 * before it belong to the thoughts of the steps in which they came.
 */
export function closeSteps(answer: AnswerState, message: string): Partial<AnswerState> {
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

/** A thought may have the words already, as in agent apps of older releases. */
function addWords(thoughts: AnswerState['thoughts'], id: string, words: string): AnswerState['thoughts'] {
  const step = thoughts.find((thought) => thought.id === id)
  const known = step?.thought ?? ''
  if (words.trim() === '' || known.includes(words.trim())) return thoughts
  const thought = known === '' ? words : `${known}\n${words}`
  // Words before the first thought are a step of their own.
  const upserted = upsertThought(step ? thoughts : [], { id, thought }) ?? []
  return step ? upserted : [...upserted, ...thoughts]
}
