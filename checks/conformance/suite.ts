import { type Endpoint, fill } from '#contract/endpoint.ts'
import { ask, type Ask, type Place, type Reply } from './client.ts'
import { Failure, type Table } from './fields.ts'
import { misfit, show } from './fit.ts'

export interface Outcome {
  name: string
  /** Null when the check has passed. */
  problem: string | null
}

/** A value of a reply, walked through by name; what is not there is undefined. */
export function at(value: unknown, ...names: (string | number)[]): unknown {
  return names.reduce<unknown>(
    (held, name) => (typeof held === 'object' && held !== null ? (held as Record<string, unknown>)[name] : undefined),
    value,
  )
}
export const listAt = (value: unknown, ...names: (string | number)[]): unknown[] => {
  const list = at(value, ...names)
  return Array.isArray(list) ? list : []
}

/** Calls the platform and keeps what was found, one line for each check. */
export class Suite {
  readonly place: Place
  readonly outcomes: Outcome[] = []
  readonly #tell: (outcome: Outcome) => void
  readonly #watch: ((request: Ask, reply: Reply) => void) | undefined

  constructor(place: Place, tell: (outcome: Outcome) => void, watch?: (request: Ask, reply: Reply) => void) {
    this.#watch = watch
    this.place = place
    this.#tell = tell
  }

  /** One check: `problem` says what is wrong, or is null or empty. */
  note(name: string, problem: string | null): void {
    const outcome = { name, problem: problem || null }
    this.outcomes.push(outcome)
    this.#tell(outcome)
  }

  equal(name: string, found: unknown, wanted: unknown): void {
    this.note(name, show(found) === show(wanted) ? null : `is ${show(found)}, not ${show(wanted)}`)
  }

  holds(name: string, claim: boolean, found?: unknown): void {
    this.note(name, claim ? null : `does not hold: ${show(found)}`)
  }

  fits(name: string, table: Table, value: unknown): void {
    this.note(name, misfit(table, value))
  }

  async ask(request: Ask): Promise<Reply> {
    const reply = await ask(this.place, request)
    this.#watch?.(request, reply)
    return reply
  }

  /** A call that is right: answered with 200, in JSON, with the version, and in the contract's shape. */
  async answers(name: string, entry: Endpoint, given: Given = {}): Promise<unknown> {
    const reply = await this.ask(requestOf(entry, given))
    this.note(`${name}: 200 in JSON, with X-Version`, unlike(reply))
    const { success, error } = entry.reply.safeParse(reply.body)
    this.note(`${name}: the contract's shape`, success ? null : error.message)
    return reply.body
  }

  /** A call that is wrong: refused with the status, in the error shape, and with the code if one is given. */
  async refuses(name: string, request: Ask, status: number | number[], code?: string): Promise<void> {
    this.refused(name, await this.ask(request), status, code)
  }

  refused(name: string, reply: Reply, status: number | number[], code?: string): void {
    const wanted = [status].flat()
    const problems = [
      wanted.includes(reply.status)
        ? null
        : `answered ${reply.status}, not ${wanted.join(' or ')}: ${reply.text.slice(0, 200)}`,
      misfit(Failure, reply.body),
      at(reply.body, 'status') === reply.status ? null : 'the status in the body is another than the reply’s',
      code && at(reply.body, 'code') !== code ? `the code is ${show(at(reply.body, 'code'))}, not ${code}` : null,
      reply.headers.has('x-version') ? null : 'X-Version is missing',
      reply.status === 401 && !reply.headers.has('www-authenticate') ? 'WWW-Authenticate is missing' : null,
    ]
    this.note(name, problems.filter(Boolean).join('; '))
  }
}

export interface Given {
  params?: Record<string, string>
  query?: string
  body?: unknown
  key?: Ask['key']
}

/** The request of an operation, with the key that it needs; `app` operations are asked with the chat key unless told. */
export const requestOf = (entry: Endpoint, { params, query, body, key }: Given): Ask => ({
  method: entry.method,
  path: fill(entry.path, params) + (query ? `?${query}` : ''),
  key: key === undefined ? (entry.key === 'app' || entry.key === 'none' ? 'chat' : entry.key) : key,
  body,
})

function unlike(reply: Reply): string {
  const type = reply.headers.get('content-type') ?? ''
  return [
    reply.status === 200 ? '' : `answered ${reply.status}: ${reply.text.slice(0, 300)}`,
    type.startsWith('application/json') ? '' : `its type is ${type}`,
    reply.headers.has('x-version') ? '' : 'X-Version is missing',
  ]
    .filter(Boolean)
    .join('; ')
}
