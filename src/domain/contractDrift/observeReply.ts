import { z } from 'zod'
import { type Drift, findDrift, isEquivalentEvent, listUnseenPaths } from './findDrift.ts'
import type { DriftRow, UnseenPart } from '#contract/console/drift.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { eventSchemas } from './eventSchemas.ts'
import { excerpt } from './excerpt.ts'
import { isUnknownPathPage } from '../platformErrors/readPlatformError.ts'
import * as shape from '#contract/platform/schemas.ts'
import { getSchemaTree } from './schemaTree.ts'
import { isCutEvent } from '../stream/cutEvent.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { UNNAMED_EVENT, NOT_AN_OBJECT } from '../stream/unknownEvents.ts'

/** Platform behaviour that is not in the contract; `error` is the shape of a refusal. */
export interface DriftObservation {
  kind: DriftRow['kind']
  /** The event that contains it, or that is unknown; null outside a stream. */
  event: string | null
  path: string
  /** The unknown enum value, the status code, or the difference in the shape of a refusal; null otherwise. */
  value: string | null
  sample: unknown
}

/**
 * Observed parts of the contract of one operation: a set of paths for its reply, one for its refusals, one for each
 * event.
 */
export type SeenPaths = Map<string, Set<string>>
export const REPLY_PART = 'reply'
export const ERROR_PART = 'refusal'
export const toEventPart = (event: string): string => `event ${event}`

/**
 * The bodies of a refusal, as the platforms are known to send them; the interface document does not describe them.
 * `params` is the name of the invalid field; `errors` has a text for each; `details` names the request to a plugin.
 */
const ERROR_FORMS = {
  code: shape.looseRecord(
    { code: shape.stringField, message: shape.stringField },
    { status: shape.integerField, params: shape.stringField, details: shape.objectField },
  ),
  errors: shape.looseRecord({ errors: z.record(z.string(), z.unknown()), message: shape.stringField }, {}),
  error: shape.looseRecord({ error: shape.stringField }, {}),
}

/** The form that the body is meant to have, by its distinctive field. */
function getErrorForm(body: unknown): z.ZodType {
  const record = asRecord(body)
  if (record && 'errors' in record) return ERROR_FORMS.errors
  return record && !('code' in record) && typeof record.error === 'string' ? ERROR_FORMS.error : ERROR_FORMS.code
}

/** The status codes of refusals that platforms and the gateways in front of them are known to return. */
const EXPECTED_ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 502, 503, 504, 524]
/** Success is 200; creation may be 201, and a write whose reply may be empty 204. */
export const isExpectedStatus = ({ method, reply }: Endpoint, status: number): boolean =>
  status === 200 ||
  (status === 201 && method === 'POST') ||
  (status === 204 && method !== 'GET' && reply.safeParse(null).success) ||
  EXPECTED_ERROR_STATUSES.includes(status)

/** A blocking reply with a success status. */
export function observeReply(entry: Endpoint, status: number, body: unknown, parts: SeenPaths): DriftObservation[] {
  return [
    ...observeStatus(entry, status),
    ...toObservations(findDrift(entry.reply, body, '', getSeenPaths(parts, REPLY_PART)), null),
  ]
}

/** An error reply of the platform. */
export function observeError(entry: Endpoint, status: number, body: unknown, parts: SeenPaths): DriftObservation[] {
  const seen = getSeenPaths(parts, ERROR_PART)
  const found = isUnknownPathPage(status, body) ? [] : findDrift(getErrorForm(body), body, '', seen)
  return [
    ...observeStatus(entry, status),
    ...found.map(({ path, kind, sample }): DriftObservation => ({
      kind: 'error',
      event: null,
      path,
      value: path === '' ? describeBodyType(body) : kind,
      sample: sample ?? excerpt(body),
    })),
  ]
}

/** The newest event of each name, and its reported differences. */
export type LastEvents = Map<string, { event: Record<string, unknown>; found: DriftObservation[] }>

/**
 * One event of a stream of the entry with that name, or other data in its place. Events that were fully examined are
 * added to `usual`.
 */
export function observeEvent(
  entry: string,
  event: unknown,
  parts: SeenPaths,
  lastEvents: LastEvents = new Map(),
): DriftObservation[] {
  if (event === undefined || isCutEvent(event)) return NO_OBSERVATIONS
  const record = asRecord(event)
  const name = getEventName(record)
  const known = findEventSchema(entry, name)
  if (!known) return [{ kind: 'event', event: name, path: '', value: null, sample: excerpt(event) }]
  const found = toObservations(findDrift(known, event, '', getSeenPaths(parts, toEventPart(name))), name)
  if (record) lastEvents.set(name, { event: record, found })
  return found
}

/** The result for an event that resembles the last one of its name; null if it must be examined. */
export function reuseObservation(entry: string, event: unknown, lastEvents: LastEvents): DriftObservation[] | null {
  const record = asRecord(event)
  const last = record && lastEvents.get(getEventName(record))
  if (!last) return null
  const known = findEventSchema(entry, getEventName(record))
  return known && isEquivalentEvent(known, record, last.event) ? last.found : null
}

function getEventName(record: Record<string, unknown> | null): string {
  if (!record) return NOT_AN_OBJECT
  return typeof record.event === 'string' ? record.event.slice(0, 100) : UNNAMED_EVENT
}

/** The schema of an event in the stream of the entry with that name. */
export function findEventSchema(entry: string, name: string): z.ZodType | undefined {
  const shapes = eventSchemas[entry] ?? {}
  return Object.hasOwn(shapes, name) ? shapes[name] : undefined
}

const toObservations = (drifts: Drift[], event: string | null): DriftObservation[] =>
  drifts.length === 0
    ? NO_OBSERVATIONS
    : drifts.map(({ kind, path, sample }) => {
        return { kind, event, path, value: kind === 'word' ? String(sample).slice(0, 100) : null, sample }
      })
const NO_OBSERVATIONS: DriftObservation[] = []

const observeStatus = (entry: Endpoint, status: number): DriftObservation[] =>
  isExpectedStatus(entry, status)
    ? []
    : [{ kind: 'status', event: null, path: '', value: String(status), sample: status }]

const describeBodyType = (body: unknown): string =>
  typeof body === 'string' ? 'text' : Array.isArray(body) ? 'list' : body === null ? 'nothing' : typeof body

function getSeenPaths(parts: SeenPaths, part: string): Set<string> {
  let seen = parts.get(part)
  if (!seen) parts.set(part, (seen = new Set()))
  return seen
}

/** The unobserved parts of an operation's contract: `reply` is a complete blocking reply. */
export type UnseenContractPart = Omit<UnseenPart, 'operation'>

/** Children of an unseen part are not listed. */
export function listUnseenContractParts(
  name: string,
  entry: Endpoint,
  parts: SeenPaths | undefined,
): UnseenContractPart[] {
  const operation: UnseenContractPart = { kind: 'operation', event: null, path: '', value: null, since: null }
  if (!parts || ![...parts.keys()].some((part) => part !== ERROR_PART)) return [operation]
  const reply = parts.get(REPLY_PART)
  const events = Object.entries(eventSchemas[name] ?? {})
  return [
    ...(reply ? toUnseenParts(entry.reply, reply, null) : [{ ...operation, kind: 'reply' as const }]),
    ...events.flatMap(([event, known]): UnseenContractPart[] => {
      const seen = parts.get(toEventPart(event))
      const since = getSchemaTree(known).since ?? null
      return seen ? toUnseenParts(known, seen, event) : [{ kind: 'event', event, path: '', value: null, since }]
    }),
  ]
}

const toUnseenParts = (schema: z.ZodType, seen: ReadonlySet<string>, event: string | null): UnseenContractPart[] =>
  listUnseenPaths(schema, seen).map(({ path, word, since }) => ({
    kind: word === null ? 'field' : 'word',
    event,
    path,
    value: word,
    since,
  }))
