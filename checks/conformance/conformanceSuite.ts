import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { toCapabilityState } from '../../server/relay/detection/capabilityState.ts'
import {
  sendRequest,
  type ConformanceRequest,
  type PlatformUnderTest,
  type ConformanceReply,
} from './conformanceClient.ts'
import { Failure, type FieldTable } from './fieldTables.ts'
import { findMisfit, toShortJson } from './tableFit.ts'

export interface CheckOutcome {
  name: string
  /** Null when the check has passed. */
  problem: string | null
}

/** A value of a reply, accessed by path; missing values are undefined. */
export function readPath(value: unknown, ...names: (string | number)[]): unknown {
  return names.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[name] : undefined,
    value,
  )
}
export const readList = (value: unknown, ...names: (string | number)[]): unknown[] => {
  const list = readPath(value, ...names)
  return Array.isArray(list) ? list : []
}

/** Calls the platform and records the results, one line per check. */
export class ConformanceSuite {
  readonly platform: PlatformUnderTest
  readonly outcomes: CheckOutcome[] = []
  readonly #onOutcome: (outcome: CheckOutcome) => void
  readonly #onCall: ((request: ConformanceRequest, reply: ConformanceReply) => void) | undefined

  constructor(
    place: PlatformUnderTest,
    tell: (outcome: CheckOutcome) => void,
    watch?: (request: ConformanceRequest, reply: ConformanceReply) => void,
  ) {
    this.#onCall = watch
    this.platform = place
    this.#onOutcome = tell
  }

  /** One check: `problem` is the error, or null or empty. */
  addOutcome(name: string, problem: string | null): void {
    const outcome = { name, problem: problem || null }
    this.outcomes.push(outcome)
    this.#onOutcome(outcome)
  }

  expectEqual(name: string, found: unknown, wanted: unknown): void {
    this.addOutcome(
      name,
      toShortJson(found) === toShortJson(wanted) ? null : `is ${toShortJson(found)}, not ${toShortJson(wanted)}`,
    )
  }

  expectTrue(name: string, claim: boolean, found?: unknown): void {
    this.addOutcome(name, claim ? null : `does not hold: ${toShortJson(found)}`)
  }

  expectFields(name: string, table: FieldTable, value: unknown): void {
    this.addOutcome(name, findMisfit(table, value))
  }

  async send(request: ConformanceRequest): Promise<ConformanceReply> {
    const reply = await sendRequest(this.platform, request)
    this.#onCall?.(request, reply)
    return reply
  }

  /** A valid call: expects 200, JSON, the version, and the contract's shape. */
  async expectReply(name: string, entry: Endpoint, given: RequestParts = {}): Promise<unknown> {
    const reply = await this.send(toRequest(entry, given))
    this.addOutcome(`${name}: 200 in JSON, with X-Version`, describeUnexpectedReply(reply))
    const { success, error } = entry.reply.safeParse(reply.body)
    this.addOutcome(`${name}: the contract's shape`, success ? null : error.message)
    return reply.body
  }

  /** A creation: expects 201, JSON and the version. */
  async expectCreated(name: string, request: ConformanceRequest): Promise<unknown> {
    const reply = await this.send(request)
    this.addOutcome(`${name}: 201 in JSON, with X-Version`, describeUnexpectedReply(reply, 201))
    return reply.body
  }

  /** A write that returns nothing: expects 204, or 200 with any body as releases before 1.16 have it. */
  async expectEmptyReply(name: string, request: ConformanceRequest): Promise<void> {
    const { status, text } = await this.send(request)
    const isEmpty = status === 204 && text === ''
    this.addOutcome(`${name}: 204 and empty, or 200`, isEmpty || status === 200 ? null : `answered ${status}: ${text}`)
  }

  /** Whether the platform has the route of a read; records where it has not. */
  async isOffered(name: string, request: ConformanceRequest): Promise<boolean> {
    const { status, body } = await this.send(request)
    const outcome = toCapabilityState({ status, body, namesResource: true, isProbe: true })
    const isMissing = outcome?.state === 'missing' || outcome?.state === 'broken'
    this.addOutcome(`${name}: ${isMissing ? 'not offered' : 'offered'}`, null)
    return !isMissing
  }

  /** An invalid call: expects the status, the error shape, and the code if one is given. */
  async expectRefusal(
    name: string,
    request: ConformanceRequest,
    status: number | number[],
    code?: string,
  ): Promise<void> {
    this.expectRefused(name, await this.send(request), status, code)
  }

  expectRefused(name: string, reply: ConformanceReply, status: number | number[], code?: string): void {
    const wanted = [status].flat()
    const problems = [
      wanted.includes(reply.status)
        ? null
        : `answered ${reply.status}, not ${wanted.join(' or ')}: ${reply.text.slice(0, 200)}`,
      findMisfit(Failure, reply.body),
      readPath(reply.body, 'status') === reply.status ? null : 'the status in the body is another than the reply’s',
      code && readPath(reply.body, 'code') !== code
        ? `the code is ${toShortJson(readPath(reply.body, 'code'))}, not ${code}`
        : null,
      reply.headers.has('x-version') ? null : 'X-Version is missing',
      reply.status === 401 && !reply.headers.has('www-authenticate') ? 'WWW-Authenticate is missing' : null,
    ]
    this.addOutcome(name, problems.filter(Boolean).join('; '))
  }
}

export interface RequestParts {
  params?: Record<string, string>
  query?: string
  body?: unknown
  key?: ConformanceRequest['key']
}

/** The request of an operation, with the required key; by default `app` operations use the chat key. */
export const toRequest = (entry: Endpoint, { params, query, body, key }: RequestParts): ConformanceRequest => ({
  method: entry.method,
  path: fillPath(entry.path, params) + (query ? `?${query}` : ''),
  key: key === undefined ? (entry.key === 'app' || entry.key === 'none' ? 'chat' : entry.key) : key,
  body,
})

function describeUnexpectedReply(reply: ConformanceReply, status = 200): string {
  const type = reply.headers.get('content-type') ?? ''
  return [
    reply.status === status ? '' : `answered ${reply.status}: ${reply.text.slice(0, 300)}`,
    type.startsWith('application/json') ? '' : `its type is ${type}`,
    reply.headers.has('x-version') ? '' : 'X-Version is missing',
  ]
    .filter(Boolean)
    .join('; ')
}
