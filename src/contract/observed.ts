import type { z } from 'zod'
import { type Drift, drift, isAlike, unseen } from './drift.ts'
import type { DriftRow, NeverRow } from './drifts.ts'
import type { Endpoint } from './endpoint.ts'
import { eventShapes } from './event-shapes.ts'
import { excerpt } from './excerpt.ts'
import * as shape from './shapes.ts'
import { asRecord } from './untrusted.ts'
import { NAMELESS, NOT_AN_OBJECT } from './unknown.ts'

/** What a platform did that the contract does not know; `error` is the shape of a refusal. */
export interface Observed {
  kind: DriftRow['kind']
  /** The event that it stood in, or that is unknown; null outside a stream. */
  event: string | null
  path: string
  /** The unknown word, the status code, or how the shape of a refusal differs; null elsewhere. */
  value: string | null
  sample: unknown
}

/** What of the contract was seen of one operation: a set of places for its reply, one for its refusals, one for each event. */
export type SeenParts = Map<string, Set<string>>
export const REPLY = 'reply'
export const REFUSAL = 'refusal'
export const partOf = (event: string): string => `event ${event}`

/**
 * The body of a refusal, as the platforms are known to send it; the interface document is silent. Some routes give
 * `params`, the name of the field that is wrong.
 */
export const Refusal = shape.record(
  { code: shape.text, message: shape.text },
  { status: shape.integer, params: shape.text },
)

/** The status codes of refusals that platforms and the gateways before them are known to give. */
const REFUSED = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 502, 503, 504, 524]
/** Success is 200; what is created may be 201, what is deleted 204. */
const isExpected = ({ method }: Endpoint, status: number): boolean =>
  status === 200 ||
  (status === 201 && method === 'POST') ||
  (status === 204 && method === 'DELETE') ||
  REFUSED.includes(status)

/** A reply that came whole, with a status of success. */
export function observeReply(entry: Endpoint, status: number, body: unknown, parts: SeenParts): Observed[] {
  return [...ofStatus(entry, status), ...told(drift(entry.reply, body, '', seenOf(parts, REPLY)), null)]
}

/** What the platform sent in place of a reply. */
export function observeRefusal(entry: Endpoint, status: number, body: unknown, parts: SeenParts): Observed[] {
  const found = drift(Refusal, body, '', seenOf(parts, REFUSAL))
  return [
    ...ofStatus(entry, status),
    ...found.map(({ path, kind, sample }): Observed => ({
      kind: 'error',
      event: null,
      path,
      value: path === '' ? nameOf(body) : kind,
      sample: sample ?? excerpt(body),
    })),
  ]
}

/** The newest event of each name, and what was told of it. */
export type Usual = Map<string, { event: Record<string, unknown>; found: Observed[] }>

/** One event of a stream of the entry of that name, or what stood in the place of one. What was looked at whole goes into `usual`. */
export function observeEvent(entry: string, event: unknown, parts: SeenParts, usual: Usual = new Map()): Observed[] {
  if (event === undefined) return NONE
  const record = asRecord(event)
  const name = nameOfEvent(record)
  const known = shapeOfEvent(entry, name)
  if (!known) return [{ kind: 'event', event: name, path: '', value: null, sample: excerpt(event) }]
  const found = told(drift(known, event, '', seenOf(parts, partOf(name))), name)
  if (record) usual.set(name, { event: record, found })
  return found
}

/** The same of an event that is like the last one of its name; null where it has to be looked at. */
export function recallEvent(entry: string, event: unknown, usual: Usual): Observed[] | null {
  const record = asRecord(event)
  const last = record && usual.get(nameOfEvent(record))
  if (!last) return null
  const known = shapeOfEvent(entry, nameOfEvent(record))
  return known && isAlike(known, record, last.event) ? last.found : null
}

function nameOfEvent(record: Record<string, unknown> | null): string {
  if (!record) return NOT_AN_OBJECT
  return typeof record.event === 'string' ? record.event.slice(0, 100) : NAMELESS
}

function shapeOfEvent(entry: string, name: string): z.ZodType | undefined {
  const shapes = eventShapes[entry] ?? {}
  return Object.hasOwn(shapes, name) ? shapes[name] : undefined
}

const told = (drifts: Drift[], event: string | null): Observed[] =>
  drifts.length === 0
    ? NONE
    : drifts.map(({ kind, path, sample }) => {
        return { kind, event, path, value: kind === 'word' ? String(sample).slice(0, 100) : null, sample }
      })
const NONE: Observed[] = []

const ofStatus = (entry: Endpoint, status: number): Observed[] =>
  isExpected(entry, status) ? [] : [{ kind: 'status', event: null, path: '', value: String(status), sample: status }]

const nameOf = (body: unknown): string =>
  typeof body === 'string' ? 'text' : Array.isArray(body) ? 'list' : body === null ? 'nothing' : typeof body

function seenOf(parts: SeenParts, part: string): Set<string> {
  let seen = parts.get(part)
  if (!seen) parts.set(part, (seen = new Set()))
  return seen
}

/** What the contract has of an operation and nobody saw: `reply` stands for all of a reply that came whole. */
export type NeverSeen = Omit<NeverRow, 'operation'>

/** What stands in a part that was never seen is not told apart. */
export function neverSeen(name: string, entry: Endpoint, parts: SeenParts | undefined): NeverSeen[] {
  const operation: NeverSeen = { kind: 'operation', event: null, path: '', value: null }
  if (!parts || ![...parts.keys()].some((part) => part !== REFUSAL)) return [operation]
  const reply = parts.get(REPLY)
  const events = Object.entries(eventShapes[name] ?? {})
  return [
    ...(reply ? ofSchema(entry.reply, reply, null) : [{ ...operation, kind: 'reply' as const }]),
    ...events.flatMap(([event, known]): NeverSeen[] => {
      const seen = parts.get(partOf(event))
      return seen ? ofSchema(known, seen, event) : [{ kind: 'event', event, path: '', value: null }]
    }),
  ]
}

const ofSchema = (schema: z.ZodType, seen: ReadonlySet<string>, event: string | null): NeverSeen[] =>
  unseen(schema, seen).map(({ path, word }) => ({ kind: word === null ? 'field' : 'word', event, path, value: word }))
