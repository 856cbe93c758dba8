import type { AnswerState } from '../answer/answerState.ts'
import { closeGaps } from '../stream/streamGap.ts'
import { asId, asRecord, asText } from '../stream/untrustedJson.ts'
import type { RunState } from './runState.ts'

/** The answer of a chatflow in the outputs of its workflow; null for none. */
export const getRecordedAnswer = ({ outputs }: RunState): string | null => asId(asRecord(outputs)?.answer)

/** A record shorter than the received text is not the answer, and records do not show what moderation replaced. */
export function withRecordedAnswer(answer: AnswerState, recorded: string | null): AnswerState {
  if (!recorded || answer.replaced !== null || isShorter(recorded, answer.text)) return answer
  return { ...answer, text: recorded, ...closeGaps(answer) }
}

/** Whether a record lacks a part of what came. Platforms cut white space at the end. */
export const isShorter = (recorded: string, text: string): boolean => recorded.trimEnd().length < text.trimEnd().length

/**
 * A run with a gap in its text, completed from its outputs: the one that begins and ends like the received text.
 * Unchanged if there is none.
 */
export function withWholeText(run: RunState): RunState {
  const seen = run.text.trimEnd()
  if (seen === '') return run
  const outputs = Object.values(asRecord(run.outputs) ?? {}).map((value) => asText(value)?.trimEnd() ?? '')
  const whole = outputs.find((output) => output.length >= seen.length && isCutFrom(seen, output))
  return whole === undefined ? run : { ...run, text: whole, ...closeGaps(run) }
}

/** Whether a text is another one with a part cut out. */
function isCutFrom(text: string, whole: string): boolean {
  let prefix = 0
  while (prefix < text.length && text[prefix] === whole[prefix]) prefix++
  return whole.endsWith(text.slice(prefix))
}
