import { emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { anyEvents } from '#domain/stream/arbitraryEvents.testing.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { expectValid, ValidAnswer, ValidRun } from '#domain/stream/foldedStates.testing.ts'
import { createTarget, type FuzzTarget } from './target.ts'

/** Events of any names with any fields give a valid state, for answers and for workflows. */
export const createFoldTarget = (): FuzzTarget =>
  createTarget(anyEvents, (events: unknown[]) => {
    expectValid(ValidAnswer, events.reduce(foldAnswer, emptyAnswer))
    expectValid(ValidRun, events.reduce(foldRun, emptyRun))
  })
