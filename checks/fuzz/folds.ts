import { emptyAnswer, foldAnswer } from '#contract/answer.ts'
import { anyEvents } from '#contract/events.testing.ts'
import { emptyRun, foldRun } from '#contract/run.ts'
import { expectValid, ValidAnswer, ValidRun } from '#contract/states.testing.ts'
import { target, type Target } from './target.ts'

/** Events of any names with any fields give a valid state, for answers and for workflows. */
export const folds = (): Target =>
  target(anyEvents, (events: unknown[]) => {
    expectValid(ValidAnswer, events.reduce(foldAnswer, emptyAnswer))
    expectValid(ValidRun, events.reduce(foldRun, emptyRun))
  })
