import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { emptyAnswer } from '../answer/answerState.ts'
import { foldAnswer } from '../answer/foldAnswer.ts'
import { anyEvents, EVENT_NAMES } from './arbitraryEvents.testing.ts'
import { emptyRun } from '../workflowRun/runState.ts'
import { foldRun } from '../workflowRun/workflowEvents.ts'
import { expectValid, ValidAnswer, ValidRun } from './foldedStates.testing.ts'
import { answerStreams } from '../answer/answerStreams.testing.ts'
import { runStreams } from '../workflowRun/runStreams.testing.ts'

interface FoldCase<State> {
  empty: State
  fold: (state: State, event: unknown) => State
  valid: z.ZodType
  recorded: unknown[][]
}
type NamedFold = [string, FoldCase<unknown>]
const foldCases = <State>(name: string, one: FoldCase<State>): NamedFold => [name, one as FoldCase<unknown>]

const folds = [
  foldCases('foldAnswer', {
    empty: emptyAnswer,
    fold: foldAnswer,
    valid: ValidAnswer,
    recorded: Object.values(answerStreams),
  }),
  foldCases('foldRun', { empty: emptyRun, fold: foldRun, valid: ValidRun, recorded: Object.values(runStreams) }),
]

describe.each(folds)('%s', (_, { empty, fold, valid, recorded }) => {
  const whole = (events: unknown[], from = empty) => events.reduce<unknown>((state, event) => fold(state, event), from)

  test('any events in any order give a valid state at every step', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        events.reduce<unknown>((state, event) => {
          const next = fold(state, event)
          expectValid(valid, next)
          return next
        }, empty)
      }),
    )
  })

  test('a beginning, kept as JSON, and then the rest is the whole', () => {
    const split = fc.tuple(fc.oneof(anyEvents, fc.constantFrom(...recorded)), fc.nat(25))
    fc.assert(
      fc.property(split, ([events, at]) => {
        const kept: unknown = JSON.parse(JSON.stringify(whole(events.slice(0, at))))
        expect(JSON.stringify(whole(events.slice(at), kept))).toBe(JSON.stringify(whole(events)))
      }),
    )
  })

  test('neither the state nor the event is changed', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        // A write to what is frozen throws, for modules are strict.
        events.reduce<unknown>((state, event) => freeze(fold(freeze(state), freeze(event))), structuredClone(empty))
      }),
    )
  })

  test('every event of the platform is either folded or kept: none is lost', () => {
    for (const name of EVENT_NAMES) {
      const before = whole([{ event: 'workflow_started', task_id: 't', workflow_run_id: 'r', data: { id: 'r' } }])
      const after = fold(before, { event: name, task_id: 't', data: null })
      const quiet = ['ping', 'tts_message', 'tts_message_end'].includes(name)
      expect([name, after === before]).toEqual([name, quiet])
    }
  })
})

describe('text', () => {
  const deltas = (event: string) => fc.array(fc.string({ unit: 'binary' }).map((answer) => ({ event, answer })))

  test.each(['message', 'agent_message', 'message_file'])('%s deltas alone are joined', (event) => {
    fc.assert(
      fc.property(deltas(event), (events) => {
        const answer = events.reduce(foldAnswer, emptyAnswer)
        expect(answer.text).toBe(events.map((one) => one.answer).join(''))
      }),
    )
  })

  test('an agent’s closing message that repeats the whole adds nothing, however it was cut', () => {
    const cut = fc.array(fc.string({ minLength: 1 }), { minLength: 1 })
    fc.assert(
      fc.property(cut, (parts) => {
        const said = parts.map((answer) => ({ event: 'agent_message', answer })).reduce(foldAnswer, emptyAnswer)
        expect(foldAnswer(said, { event: 'message', answer: parts.join('') }).text).toBe(parts.join(''))
      }),
    )
  })
})

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value
  Object.freeze(value)
  Object.values(value).forEach(freeze)
  return value
}
