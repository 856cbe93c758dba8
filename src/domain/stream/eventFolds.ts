import type { Run } from '#contract/console/runs.ts'
import type { StreamKind } from '#contract/endpoint.ts'
import { type AnswerState, emptyAnswer } from '../answer/answerState.ts'
import { foldAnswer } from '../answer/foldAnswer.ts'
import { emptyRun, type RunState } from '../workflowRun/runState.ts'
import { foldRun } from '../workflowRun/workflowEvents.ts'
import { getRecordedAnswer, withRecordedAnswer, withWholeText } from '../workflowRun/wholeText.ts'
import { isCutEvent } from './cutEvent.ts'
import { getGapBefore } from './streamGap.ts'
import { UNNAMED_EVENT } from './unknownEvents.ts'
import { asId, asRecord } from './untrustedJson.ts'

/** Folds the events of a stream into the state that is shown and stored. */
export interface EventFold<State = unknown> {
  initial: State
  /** Declared as a method so that a fold of any state is an `EventFold`. It is only called with its own state. */
  fold(state: State, event: unknown): State
}

export interface FoldStates {
  answer: AnswerState
  workflow: RunState
}

/** The fold of each kind of stream, shared by the browser and the server. */
export const eventFolds: { [Kind in StreamKind]: EventFold<FoldStates[Kind]> } = {
  answer: {
    initial: emptyAnswer,
    fold: foldMarks(foldAnswer, (answer) => withRecordedAnswer(answer, getRecordedAnswer(answer.run))),
  },
  workflow: { initial: emptyRun, fold: foldMarks(foldRun, withWholeText) },
}

/**
 * Records cut events and the places where a part of the stream was missed. The end of a workflow may supply the
 * missing text.
 */
function foldMarks<State extends FoldStates[StreamKind]>(
  fold: (state: State, event: unknown) => State,
  withRecordedText: (state: State) => State,
) {
  return (before: State, event: unknown): State => {
    const name = asId(asRecord(event)?.event)
    const gap = getGapBefore(event)
    const gaps = gap && [...(before.gaps ?? []), { ...gap, after_chars: before.text.length }]
    const state = gaps ? { ...before, gaps } : before
    const next = isCutEvent(event)
      ? { ...(name === null ? state : fold(state, event)), cut: [...(state.cut ?? []), name ?? UNNAMED_EVENT] }
      : fold(state, event)
    return name === 'workflow_finished' && (next.gaps || next.cut) ? withRecordedText(next) : next
  }
}

/** The fold of an entry's stream, by the name of the entry. */
export const getEntryFold = (entry: Run['entry']): EventFold<FoldStates[StreamKind]> =>
  entry === 'workflows.run' ? eventFolds.workflow : eventFolds.answer
