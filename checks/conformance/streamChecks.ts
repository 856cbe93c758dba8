import type { Endpoint } from '#contract/endpoint.ts'
import { type ConformanceStep, readPath, type RequestParts, toRequest } from './conformanceSuite.ts'
import {
  ENVELOPE_TABLES,
  type FieldTable,
  findMisfit,
  MESSAGE_EVENT_TABLES,
  parseJson,
  toShortJson,
  WORKFLOW_EVENT_TABLES,
} from './fieldTables.ts'

export type StreamEvent = Record<string, unknown>

export interface ParsedStream {
  events: StreamEvent[]
  pings: number
  /** Blocks that are neither one line of JSON data nor a bare ping. */
  unknownBlocks: string[]
}

/** Keep-alive interval of platforms on idle connections, in ms. */
const PING_INTERVAL_MS = 10_000

/** The events of a stream, in the platform's framing. */
export function parseStream(text: string): ParsedStream {
  const stream: ParsedStream = { events: [], pings: 0, unknownBlocks: [] }
  for (const block of text.split('\n\n').filter(Boolean)) {
    const isData = block.startsWith('data: ') && !block.includes('\n')
    const event = isData ? parseJson(block.slice('data: '.length)) : undefined
    if (block === 'event: ping') stream.pings++
    else if (typeof event === 'object' && event !== null) stream.events.push(event as StreamEvent)
    else stream.unknownBlocks.push(block)
  }
  return stream
}

/** Requests a stream and checks the common properties of all streams. */
export async function checkStream(step: ConformanceStep, entry: Endpoint, given: RequestParts): Promise<StreamEvent[]> {
  const began = performance.now()
  const reply = await step.suite.send(toRequest(entry, given))
  const due = Math.floor((performance.now() - began) / PING_INTERVAL_MS)
  const { events, pings, unknownBlocks } = parseStream(reply.text)
  const type = reply.headers.get('content-type') ?? ''
  step.equal('its status', reply.status, 200)
  step.holds('its type is text/event-stream', type.startsWith('text/event-stream'), type)
  step.holds('X-Version', reply.headers.has('x-version'))
  step.equal('each block is one line of data or a bare ping', unknownBlocks, [])
  step.holds(`a ping every 10 seconds (${due} due)`, pings >= due, pings)
  return events
}

const listNames = (events: StreamEvent[]): string[] => events.map(({ event }) => String(event))
const countDistinct = (events: StreamEvent[], field: string): number => new Set(events.map((one) => one[field])).size

/** The stream of an answer: deltas, then `message_end`, and nothing behind it. */
export function checkAnswerStream(step: ConformanceStep, kind: 'chat' | 'completion', events: StreamEvent[]): void {
  const wrong = findWrongEvents(events, kind, (event) => event, MESSAGE_EVENT_TABLES)
  step.add('fields of every event', wrong)
  const deltas = events.filter(({ event }) => event === 'message')
  step.holds('it has text', deltas.map(({ answer }) => String(answer)).join('') !== '')
  step.equal('message_end is last, and once', listNames(events).indexOf('message_end'), events.length - 1)
  for (const field of ['task_id', 'message_id', 'created_at', ...(kind === 'chat' ? ['conversation_id'] : [])])
    step.equal(`one ${field}`, countDistinct(events, field), 1)
}

/** The stream of a run: it starts, its nodes start and finish, it finishes. */
export function checkRunStream(step: ConformanceStep, events: StreamEvent[]): void {
  const names = listNames(events)
  step.add(
    'fields of every event',
    findWrongEvents(events, 'workflow', ({ data }) => data, WORKFLOW_EVENT_TABLES),
  )
  step.equal('it begins with workflow_started', names[0], 'workflow_started')
  step.equal('workflow_finished is last, and once', names.indexOf('workflow_finished'), events.length - 1)
  step.equal('one run', countDistinct(events, 'workflow_run_id'), 1)
  step.equal('one task', countDistinct(events, 'task_id'), 1)
  step.add('every node starts before it finishes', findDisorder(events))
  const starts = events.filter(({ event }) => event === 'node_started')
  const indexes = starts.map((event) => Number(readPath(event, 'data', 'index')))
  const isGrowing = indexes.every((index, place) => index > (indexes[place - 1] ?? 0))
  step.holds('the index of nodes grows', isGrowing, indexes)
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
