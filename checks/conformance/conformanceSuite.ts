import { type Endpoint, fillPath, type KeyKind } from '#contract/endpoint.ts'
import { toCapabilityState } from '../../server/relay/detection/capabilityState.ts'
import { Failure, type FieldTable, findMisfit, parseJson, toShortJson } from './fieldTables.ts'

/** The platform under test: its base URL and one key of each kind. */
export interface PlatformUnderTest {
  base: string
  keys: Record<KeyKind, string>
}

export interface ConformanceRequest {
  method: string
  path: string
  /** A kind of key, or an `Authorization` header as it is; null sends none. */
  key: KeyKind | { header: string } | null
  /** An object is sent as JSON, a form as multipart, a text as it is under `type`. */
  body?: unknown
  type?: string
}

export interface ConformanceReply {
  status: number
  headers: Headers
  text: string
  /** The JSON of the reply; undefined when it is none. */
  body: unknown
}

export interface CheckOutcome {
  name: string
  /** Null when the check has passed. */
  problem: string | null
}

export interface RequestParts {
  params?: Record<string, string>
  query?: string
  body?: unknown
  key?: ConformanceRequest['key'] | undefined
}

/** Resources that the other checks need. */
export interface ResourceIds {
  dataset_id: string
  document_id: string
  segment_id: string
  child_chunk_id: string
  conversation_id: string
}

/** The end user of the suite, and an id that no platform has. */
export const USER = 'conformance'
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** Text with three paragraphs, of which each has two lines. */
export const SAMPLE_PARAGRAPHS = [
  'Green tea is steeped\nat 80 degrees.',
  'Black tea takes\nboiling water.',
  '绿茶用八十度的水。\n红茶用沸水。',
]

/** A value of a reply, accessed by path; missing values are undefined. */
export function readPath(value: unknown, ...names: (string | number)[]): unknown {
  return names.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[name] : undefined,
    value,
  )
}
export const readText = (value: unknown, ...names: (string | number)[]): string => String(readPath(value, ...names))
export const readList = (value: unknown, ...names: (string | number)[]): unknown[] => {
  const list = readPath(value, ...names)
  return Array.isArray(list) ? list : []
}

/** The request of an operation, with the required key; by default `app` operations use the chat key. */
export const toRequest = (entry: Endpoint, { params, query, body, key }: RequestParts = {}): ConformanceRequest => ({
  method: entry.method,
  path: fillPath(entry.path, params) + (query ? `?${query}` : ''),
  key: key === undefined ? (entry.key === 'app' || entry.key === 'none' ? 'chat' : entry.key) : key,
  body,
})

/** Calls the platform and records the results, one line per check. */
export class ConformanceSuite {
  readonly platform: PlatformUnderTest
  readonly outcomes: CheckOutcome[] = []
  readonly #onOutcome: (outcome: CheckOutcome) => void
  readonly #onCall: ((request: ConformanceRequest, reply: ConformanceReply) => void) | undefined

  constructor(
    platform: PlatformUnderTest,
    onOutcome: (outcome: CheckOutcome) => void,
    onCall?: (request: ConformanceRequest, reply: ConformanceReply) => void,
  ) {
    this.platform = platform
    this.#onOutcome = onOutcome
    this.#onCall = onCall
  }

  /** One check: `problem` is the error, or null or empty. */
  addOutcome(name: string, problem: string | null): void {
    const outcome = { name, problem: problem || null }
    this.outcomes.push(outcome)
    this.#onOutcome(outcome)
  }

  step(name: string): ConformanceStep {
    return new ConformanceStep(this, name)
  }

  /** A valid call: expects 200, JSON, the version, and the contract's shape. */
  async expectReply(name: string, entry: Endpoint, given: RequestParts = {}): Promise<unknown> {
    const reply = await this.send(toRequest(entry, given))
    this.addOutcome(`${name}: 200 in JSON, with X-Version`, describeUnexpectedReply(reply))
    const { success, error } = entry.reply.safeParse(reply.body)
    this.addOutcome(`${name}: the contract's shape`, success ? null : error.message)
    return reply.body
  }

  /** Sends one request and reads the whole reply, a stream as well. */
  async send(request: ConformanceRequest): Promise<ConformanceReply> {
    const { base, keys } = this.platform
    const { method, path, key, body, type } = request
    const headers = new Headers()
    if (key !== null) headers.set('authorization', typeof key === 'string' ? `Bearer ${keys[key]}` : key.header)
    const isForm = body instanceof FormData
    if (type ?? (body !== undefined && !isForm)) headers.set('content-type', type ?? 'application/json')
    const sent = body === undefined || isForm || typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(base + path, { method, headers, body: sent ?? null })
    const text = await response.text()
    const reply = { status: response.status, headers: response.headers, text, body: parseJson(text) }
    this.#onCall?.(request, reply)
    return reply
  }
}

/** The checks of one step, whose name stands before theirs. */
export class ConformanceStep {
  readonly suite: ConformanceSuite
  readonly name: string

  constructor(suite: ConformanceSuite, name: string) {
    this.suite = suite
    this.name = name
  }

  add(what: string, problem: string | null): void {
    this.suite.addOutcome(`${this.name}: ${what}`, problem)
  }

  reply(entry: Endpoint, given?: RequestParts): Promise<unknown> {
    return this.suite.expectReply(this.name, entry, given)
  }

  equal(what: string, found: unknown, wanted: unknown): void {
    const isEqual = toShortJson(found) === toShortJson(wanted)
    this.add(what, isEqual ? null : `is ${toShortJson(found)}, not ${toShortJson(wanted)}`)
  }

  holds(what: string, claim: boolean, found?: unknown): void {
    this.add(what, claim ? null : `does not hold: ${toShortJson(found)}`)
  }

  fields(what: string, table: FieldTable, value: unknown): void {
    this.add(what, findMisfit(table, value))
  }

  /** A creation: expects 201, JSON and the version. */
  async created(request: ConformanceRequest): Promise<unknown> {
    const reply = await this.suite.send(request)
    this.add('201 in JSON, with X-Version', describeUnexpectedReply(reply, 201))
    return reply.body
  }

  /** A write that returns nothing: expects 204, or 200 with any body as releases before 1.16 have it. */
  async empty(request: ConformanceRequest): Promise<void> {
    const { status, text } = await this.suite.send(request)
    const isEmpty = status === 204 && text === ''
    this.add('204 and empty, or 200', isEmpty || status === 200 ? null : `answered ${status}: ${text}`)
  }

  /** Whether the platform has the route of a read; records where it has not. */
  async isOffered(request: ConformanceRequest): Promise<boolean> {
    const { status, body } = await this.suite.send(request)
    const outcome = toCapabilityState({ status, body, namesResource: true, isProbe: true })
    const isMissing = outcome?.state === 'missing' || outcome?.state === 'broken'
    this.add(isMissing ? 'not offered' : 'offered', null)
    return !isMissing
  }

  /** An invalid call: expects the status, the error shape, and the code if one is given. */
  async refuses(
    what: string,
    request: ConformanceRequest,
    status: number | number[],
    code?: string,
  ): Promise<ConformanceReply> {
    const reply = await this.suite.send(request)
    const wanted = [status].flat()
    const given = readPath(reply.body, 'code')
    const problems = [
      !wanted.includes(reply.status) &&
        `answered ${reply.status}, not ${wanted.join(' or ')}: ${reply.text.slice(0, 200)}`,
      findMisfit(Failure, reply.body),
      readPath(reply.body, 'status') !== reply.status && 'the status in the body is another than the reply’s',
      code && given !== code && `the code is ${toShortJson(given)}, not ${code}`,
      !reply.headers.has('x-version') && 'X-Version is missing',
      reply.status === 401 && !reply.headers.has('www-authenticate') && 'WWW-Authenticate is missing',
    ]
    this.add(what, problems.filter(Boolean).join('; '))
    return reply
  }
}

function describeUnexpectedReply(reply: ConformanceReply, status = 200): string {
  const type = reply.headers.get('content-type') ?? ''
  return [
    reply.status !== status && `answered ${reply.status}: ${reply.text.slice(0, 300)}`,
    !type.startsWith('application/json') && `its type is ${type}`,
    !reply.headers.has('x-version') && 'X-Version is missing',
  ]
    .filter(Boolean)
    .join('; ')
}
