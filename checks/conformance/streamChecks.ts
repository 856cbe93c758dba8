import type { Endpoint } from '#contract/endpoint.ts'
import { parseStream, type StreamEvent } from './conformanceClient.ts'
import { ENVELOPE_TABLES, MESSAGE_EVENT_TABLES, WORKFLOW_EVENT_TABLES } from './eventTables.ts'
import type { FieldTable } from './fieldTables.ts'
import { findMisfit, toShortJson } from './tableFit.ts'
import { readPath, toRequest, type RequestParts, type ConformanceSuite } from './conformanceSuite.ts'

/** Keep-alive interval of platforms on idle connections, in ms. */
const PING_INTERVAL_MS = 10_000

/** Requests a stream and checks the common properties of all streams. */
export async function checkStream(
  suite: ConformanceSuite,
  name: string,
  entry: Endpoint,
  given: RequestParts,
): Promise<StreamEvent[]> {
  const began = performance.now()
  const reply = await suite.send(toRequest(entry, given))
  const took = performance.now() - began
  const { events, pings, unknownBlocks } = parseStream(reply.text)
  const type = reply.headers.get('content-type') ?? ''
  suite.expectEqual(`${name}: its status`, reply.status, 200)
  suite.expectTrue(`${name}: its type is text/event-stream`, type.startsWith('text/event-stream'), type)
  suite.expectTrue(`${name}: X-Version`, reply.headers.has('x-version'))
  suite.expectEqual(`${name}: each block is one line of data or a bare ping`, unknownBlocks, [])
  const due = Math.floor(took / PING_INTERVAL_MS)
  suite.expectTrue(`${name}: a ping every 10 seconds (${due} due)`, pings >= due, pings)
  return events
}

/** The stream of an answer: deltas, then `message_end`, and nothing behind it. */
export function checkAnswerStream(
  suite: ConformanceSuite,
  name: string,
  kind: 'chat' | 'completion',
  events: StreamEvent[],
): void {
  suite.addOutcome(
    `${name}: fields of every event`,
    findWrongEvents(events, kind, (event) => event, MESSAGE_EVENT_TABLES),
  )
  const deltas = events.filter(({ event }) => event === 'message')
  suite.expectTrue(`${name}: it has text`, deltas.map(({ answer }) => String(answer)).join('') !== '')
  suite.expectEqual(
    `${name}: message_end is last, and once`,
    listEventNames(events).indexOf('message_end'),
    events.length - 1,
  )
  for (const field of ['task_id', 'message_id', 'created_at', ...(kind === 'chat' ? ['conversation_id'] : [])])
    suite.expectEqual(`${name}: one ${field}`, new Set(events.map((event) => event[field])).size, 1)
}

/** The stream of a run: it starts, its nodes start and finish, it finishes. */
export function checkRunStream(suite: ConformanceSuite, name: string, events: StreamEvent[]): void {
  suite.addOutcome(
    `${name}: fields of every event`,
    findWrongEvents(events, 'workflow', ({ data }) => data, WORKFLOW_EVENT_TABLES),
  )
  suite.expectEqual(`${name}: it begins with workflow_started`, listEventNames(events)[0], 'workflow_started')
  suite.expectEqual(
    `${name}: workflow_finished is last, and once`,
    listEventNames(events).indexOf('workflow_finished'),
    events.length - 1,
  )
  suite.expectEqual(`${name}: one run`, new Set(events.map((event) => event['workflow_run_id'])).size, 1)
  suite.expectEqual(`${name}: one task`, new Set(events.map((event) => event['task_id'])).size, 1)
  suite.addOutcome(`${name}: every node starts before it finishes`, findDisorder(events))
  const indexes = events
    .filter(({ event }) => event === 'node_started')
    .map((event) => Number(readPath(event, 'data', 'index')))
  suite.expectTrue(
    `${name}: the index of nodes grows`,
    indexes.every((index, place) => index > (indexes[place - 1] ?? 0)),
    indexes,
  )
}

function findDisorder(events: StreamEvent[]): string | null {
  const open = new Set<unknown>()
  for (const event of events) {
    const id = readPath(event, 'data', 'id')
    if (/^(node|iteration)_started$/.test(String(event['event']))) open.add(id)
    if (/^(node_finished|iteration_completed)$/.test(String(event['event'])) && !open.delete(id))
      return `${toShortJson(id)} finishes and never started`
  }
  return open.size > 0 ? `these never finish: ${toShortJson([...open])}` : null
}

function findWrongEvents(
  events: StreamEvent[],
  kind: keyof typeof ENVELOPE_TABLES,
  own: (event: StreamEvent) => unknown,
  tables: Record<string, FieldTable>,
): string {
  const wrong = events.flatMap((event) => {
    const name = String(event['event'])
    const table = tables[name]
    const problems = [
      findMisfit(ENVELOPE_TABLES[kind], event),
      table ? findMisfit(table, own(event)) : 'is of no known name',
    ]
    return problems.flatMap((problem) => (problem ? [`${name}: ${problem}`] : []))
  })
  return [...new Set(wrong)].join('\n  ')
}

const listEventNames = (events: StreamEvent[]): string[] => events.map(({ event }) => String(event))
