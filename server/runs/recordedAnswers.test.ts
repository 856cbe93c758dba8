import { expect, test } from 'vitest'
import type { AnswerState } from '#domain/answer/answerState.ts'
import { eventFolds } from '#domain/stream/eventFolds.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { isStream, readSharedRecordings, type RecordedExchange } from '#support/recordings/recordings.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { toRunStatus } from '../ledger/runStatus.ts'

const toEvents = ({ response }: RecordedExchange): unknown[] => response.body.split('\n\n').map(parseBlockEvent)
const foldAll = (events: unknown[]): AnswerState => events.reduce(eventFolds.answer.fold, eventFolds.answer.initial)
const listTexts = (events: unknown[], name: string): string[] =>
  events.map(asRecord).flatMap((event) => (event?.event === name ? (asText(event.answer) ?? []) : []))

describeWith(requirements.sharedData('real-servers/dify-1.16.1.jsonl'))('answers that releases gave', () => {
  const streams = readSharedRecordings().flatMap(({ exchanges }) => exchanges.filter(isStream))
  const getEvents = (name: string) => toEvents(streams.find((exchange) => exchange.name === name) as RecordedExchange)

  test('no word of an agent is lost, and a closing message is the answer', () => {
    const agents = streams.map(toEvents).filter((events) => listTexts(events, 'agent_message').length > 0)
    expect(agents).toHaveLength(10)
    for (const events of agents) {
      const { text, thoughts } = foldAll(events)
      const shown = [...thoughts.map(({ thought }) => thought ?? ''), text].join('')
      const [said, closing] = [listTexts(events, 'agent_message').join(''), listTexts(events, 'message').join('')]
      expect(text).toBe(closing || said)
      for (const word of said.split(/\s+/)) expect(shown).toContain(word)
    }
  })

  test('the answer of an annotated chatflow succeeded, without a workflow', () => {
    const answer = foldAll(getEvents('chatflow, answered by an annotation, streaming'))
    expect([toRunStatus(answer), answer.text]).toEqual(['succeeded', 'The zebra lamp opens at nightfall.'])
    expect([answer.run.workflow_run_id, answer.run_after_end?.status]).toEqual([null, 'failed'])
  })

  test('text before a tool call is a step of the new agent', () => {
    const { text, thoughts } = foldAll(getEvents('new agent, text before a tool call, streaming'))
    expect(text).toMatch(/^The tool said: /)
    expect(thoughts.map(({ thought }) => thought)).toEqual(['Let me check the shop. ', '', ''])
  })

  test('no workflow of them has an event after its end', () => {
    const late = streams.filter((exchange) => foldAll(toEvents(exchange)).run.late > 0)
    expect(late.map(({ name }) => name)).toEqual([])
  })
})
