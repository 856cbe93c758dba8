import type { Endpoint } from '#contract/endpoint.ts'
import { readStream, type StreamEvent } from './client.ts'
import { ENVELOPES, MESSAGE_EVENTS, WORKFLOW_EVENTS } from './events.ts'
import type { Table } from './fields.ts'
import { misfit, show } from './fit.ts'
import { at, requestOf, type Given, type Suite } from './suite.ts'

/** Platforms keep a silent line alive this often. Milliseconds. */
const PING_INTERVAL = 10_000

/** Asks for a stream and checks what all streams have in common. */
export async function streams(suite: Suite, name: string, entry: Endpoint, given: Given): Promise<StreamEvent[]> {
  const began = performance.now()
  const reply = await suite.ask(requestOf(entry, given))
  const took = performance.now() - began
  const { events, pings, strange } = readStream(reply.text)
  const type = reply.headers.get('content-type') ?? ''
  suite.equal(`${name}: its status`, reply.status, 200)
  suite.holds(`${name}: its type is text/event-stream`, type.startsWith('text/event-stream'), type)
  suite.holds(`${name}: X-Version`, reply.headers.has('x-version'))
  suite.equal(`${name}: each block is one line of data or a bare ping`, strange, [])
  const due = Math.floor(took / PING_INTERVAL)
  suite.holds(`${name}: a ping every 10 seconds (${due} due)`, pings >= due, pings)
  return events
}

/** The stream of an answer: deltas, then `message_end`, and nothing behind it. */
export function answered(suite: Suite, name: string, kind: 'chat' | 'completion', events: StreamEvent[]): void {
  suite.note(
    `${name}: fields of every event`,
    wrongEvents(events, kind, (event) => event, MESSAGE_EVENTS),
  )
  const deltas = events.filter(({ event }) => event === 'message')
  suite.holds(`${name}: it has text`, deltas.map(({ answer }) => String(answer)).join('') !== '')
  suite.equal(`${name}: message_end is last, and once`, names(events).indexOf('message_end'), events.length - 1)
  for (const field of ['task_id', 'message_id', 'created_at', ...(kind === 'chat' ? ['conversation_id'] : [])])
    suite.equal(`${name}: one ${field}`, new Set(events.map((event) => event[field])).size, 1)
}

/** The stream of a run: it starts, its nodes start and finish, it finishes. */
export function ran(suite: Suite, name: string, events: StreamEvent[]): void {
  suite.note(
    `${name}: fields of every event`,
    wrongEvents(events, 'workflow', ({ data }) => data, WORKFLOW_EVENTS),
  )
  suite.equal(`${name}: it begins with workflow_started`, names(events)[0], 'workflow_started')
  suite.equal(
    `${name}: workflow_finished is last, and once`,
    names(events).indexOf('workflow_finished'),
    events.length - 1,
  )
  suite.equal(`${name}: one run`, new Set(events.map((event) => event['workflow_run_id'])).size, 1)
  suite.equal(`${name}: one task`, new Set(events.map((event) => event['task_id'])).size, 1)
  suite.note(`${name}: every node starts before it finishes`, disorder(events))
  const indexes = events
    .filter(({ event }) => event === 'node_started')
    .map((event) => Number(at(event, 'data', 'index')))
  suite.holds(
    `${name}: the index of nodes grows`,
    indexes.every((index, place) => index > (indexes[place - 1] ?? 0)),
    indexes,
  )
}

function disorder(events: StreamEvent[]): string | null {
  const open = new Set<unknown>()
  for (const event of events) {
    const id = at(event, 'data', 'id')
    if (/^(node|iteration)_started$/.test(String(event['event']))) open.add(id)
    if (/^(node_finished|iteration_completed)$/.test(String(event['event'])) && !open.delete(id))
      return `${show(id)} finishes and never started`
  }
  return open.size > 0 ? `these never finish: ${show([...open])}` : null
}

function wrongEvents(
  events: StreamEvent[],
  kind: keyof typeof ENVELOPES,
  own: (event: StreamEvent) => unknown,
  tables: Record<string, Table>,
): string {
  const wrong = events.flatMap((event) => {
    const name = String(event['event'])
    const table = tables[name]
    const problems = [misfit(ENVELOPES[kind], event), table ? misfit(table, own(event)) : 'is of no known name']
    return problems.flatMap((problem) => (problem ? [`${name}: ${problem}`] : []))
  })
  return [...new Set(wrong)].join('\n  ')
}

const names = (events: StreamEvent[]): string[] => events.map(({ event }) => String(event))
