import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import type { Frame } from '#contract/console/runs.ts'
import { emptyTable, findFrameAt, getGapMs, growTable, getTextRange } from './frameTable.ts'

const makeFrames = (events: readonly (object | string)[]): Frame[] =>
  events.map((event, index) => {
    const block = typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`
    return { seq: index + 1, at: index * 10, bytes: block.length, block }
  })
const makeTable = (events: readonly (object | string)[]) =>
  growTable(emptyTable('chat.send', makeFrames(events)), events.length)
const words = (table: ReturnType<typeof makeTable>, seq: number) => {
  const range = getTextRange(table, seq)
  return range && table.state.text.slice(range.from, range.to)
}
const message = (answer: string) => ({ event: 'message', answer })
const agent = (answer: string) => ({ event: 'agent_message', answer })

test('each delta owns its words', () => {
  const table = makeTable([
    'event: ping',
    message('Lamp '),
    { event: 'node_started', data: {} },
    message('seat'),
    message(''),
  ])
  expect([1, 2, 3, 4, 5].map((seq) => words(table, seq))).toEqual([null, 'Lamp ', null, 'seat', null])
  expect(table.kinds).toEqual(['quiet', 'words', 'event', 'words', 'event'])
  expect(table.events[0]).toBe('ping')
  expect(table.firstTextFrame).toBe(2)
  expect([0, 4, 5, 8, 9].map((at) => findFrameAt(table, at))).toEqual([2, 2, 4, 4, null])
})

test('a replacement takes the words from the frames that said them', () => {
  const table = makeTable([
    message('secret '),
    message('plan'),
    { event: 'message_replace', answer: 'Withheld.', reason: 'x' },
    message(' Ask.'),
  ])
  expect([1, 2, 3, 4].map((seq) => words(table, seq))).toEqual([null, null, 'Withheld.', ' Ask.'])
})

test('a replacement that keeps the beginning leaves it to the frame that said it', () => {
  const table = makeTable([
    message('one two'),
    message(' three'),
    { event: 'message_replace', answer: 'one 2', reason: '' },
  ])
  expect([1, 2, 3].map((seq) => words(table, seq))).toEqual(['one ', null, '2'])
})

test('an agent that says all of it once more owns nothing twice', () => {
  const table = makeTable([agent('Lamp '), agent('seat'), message('Lamp seat')])
  expect([1, 2, 3].map((seq) => words(table, seq))).toEqual(['Lamp ', 'seat', null])
  const more = makeTable([agent('Lamp '), message('Lamp seat.')])
  expect([1, 2].map((seq) => words(more, seq))).toEqual(['Lamp ', 'seat.'])
})

test('words after the end, and what is no JSON, own nothing', () => {
  const table = makeTable([
    message('a'),
    { event: 'message_end', metadata: {} },
    message('b'),
    'data: {"event": "mess',
    ': note',
  ])
  expect(words(table, 3)).toBeNull()
  expect(table.kinds.slice(3)).toEqual(['broken', 'quiet'])
  expect(table.events.slice(3)).toEqual(['', 'comment'])
})

test('the words of a workflow are those of its text chunks', () => {
  const events = [
    { event: 'workflow_started', data: { id: 'w' } },
    { event: 'text_chunk', data: { text: 'Half ' } },
    { event: 'text_chunk', data: { text: 'done' } },
  ]
  const table = growTable(emptyTable('workflows.run', makeFrames(events)), 3)
  expect([1, 2, 3].map((seq) => getTextRange(table, seq))).toEqual([null, { from: 0, to: 5 }, { from: 5, to: 9 }])
})

const speech = fc.oneof(
  fc.string({ maxLength: 6 }).map(message),
  fc.string({ maxLength: 6 }).map(agent),
  fc.string({ maxLength: 12 }).map((answer) => ({ event: 'message_replace', answer, reason: '' })),
  fc.constantFrom<object | string>({ event: 'node_started', data: {} }, 'event: ping', 'data: {', { event: 'message' }),
)

test('however the frames came, the text is the fold’s, no word has two owners, and each owner has words', () => {
  fc.assert(
    fc.property(fc.array(speech, { maxLength: 30 }), fc.array(fc.nat(30)), (events, cuts) => {
      const frames = makeFrames(events)
      const table = [...cuts.sort((a, b) => a - b).map((cut) => Math.min(cut, frames.length)), frames.length].reduce(
        growTable,
        emptyTable('chat.send', frames),
      )
      const text = frames.reduce((state, { block }) => foldAnswer(state, parseBlockEvent(block)), emptyAnswer).text
      expect(table.state.text).toBe(text)
      let end = 0
      for (const { seq } of frames) {
        const range = getTextRange(table, seq)
        if (!range) continue
        expect(range.from).toBeGreaterThanOrEqual(end)
        expect(range.to).toBeGreaterThan(range.from)
        expect(findFrameAt(table, range.from)).toBe(seq)
        end = range.to
      }
      expect(end).toBe(text.length)
    }),
  )
})

test('the gap of the first frame is the wait since the request', () => {
  const frames = [5, 9, 9, 40].map((at, index) => ({ seq: index + 1, at, bytes: 1, block: '' }))
  expect([1, 2, 3, 4].map((seq) => getGapMs({ frames }, seq))).toEqual([5, 4, 0, 31])
})
