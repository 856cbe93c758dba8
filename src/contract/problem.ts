import { z } from 'zod'

/**
 * The single error shape of the console. `invalid` our schema rejected the input, `refused` the platform returned an
 * error (status and body verbatim), `mismatch` the reply has another type than requested, `unreachable` no connection,
 * `late` timeout, `cut` the connection was lost, `denied` no permission, `fault` internal error (the message is hidden,
 * `id` finds it in the log).
 */
export const PROBLEM_KINDS = [
  'invalid',
  'refused',
  'mismatch',
  'unreachable',
  'late',
  'cut',
  'denied',
  'fault',
] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

export const FieldProblem = z.object({ path: z.string(), message: z.string() })

export const Problem = z.object({
  kind: z.enum(PROBLEM_KINDS),
  message: z.string(),
  status: z.number().optional(),
  fields: z.array(FieldProblem).optional(),
  id: z.string().optional(),
  retry_after: z.number().optional(),
  /** The platform's error reply: its HTTP status and its body (parsed JSON, or text cut at 4 KiB). */
  upstream: z.object({ status: z.number(), body: z.unknown() }).optional(),
})
export type Problem = z.output<typeof Problem>

/** A throwable Problem. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/**
 * The HTTP status of a Problem in the console's replies. An upstream 401 becomes 424, so that it never signs the
 * person out.
 */
export const PROBLEM_HTTP_STATUS: Record<ProblemKind, number> = {
  invalid: 400,
  refused: 424,
  mismatch: 502,
  unreachable: 502,
  late: 504,
  cut: 502,
  denied: 403,
  fault: 500,
}

/** A request with more invalid fields, or longer field names, was not written by a person. */
const MAX_FIELD_ERRORS = 100
const MAX_FIELD_NAME_CHARS = 200

/** Lists the wrong fields and the allowed values. `part` is their location: params, query or body. */
export function toInvalidProblem(part: string, error: z.core.$ZodError): Problem {
  const all = error.issues
    .filter((issue) => !isImpliedIssue(issue, error.issues))
    .flatMap((issue) => flattenIssue(issue, part))
  const first = all[0]
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : ''
  const message = first ? `${first.path} ${first.message}${more}` : 'invalid'
  return { kind: 'invalid', status: 400, message, fields: all.slice(0, MAX_FIELD_ERRORS) }
}

type Issue = z.core.$ZodIssue
type FieldIssue = z.output<typeof FieldProblem>

/** zod reports an unsafe integer twice if the field has a narrower range of its own. */
const isImpliedIssue = (issue: Issue, all: readonly Issue[]): boolean =>
  'note' in issue && all.some((other) => other !== issue && other.path.join('.') === issue.path.join('.'))

function flattenIssue(issue: Issue, path: string): FieldIssue[] {
  const at = [path, ...issue.path.map((step) => String(step).slice(0, MAX_FIELD_NAME_CHARS))].filter(Boolean).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [at, key.slice(0, MAX_FIELD_NAME_CHARS)].filter(Boolean).join('.'),
      message: 'is not a field of this request',
    }))
  if (issue.code !== 'invalid_union') return [{ path: at, message: describeIssue(issue) }]
  // For a union, report the alternative whose type matches but whose fields do not.
  const meant = issue.errors.find((issues) => !issues.some(isTypeIssue))
  if (meant) return meant.flatMap((inner) => flattenIssue(inner, at))
  if (issue.errors.flat().every(isMissingIssue)) return [{ path: at, message: 'is required' }]
  const kinds = issue.errors.map((issues) => describeIssue(issues.find(isTypeIssue) ?? issue).replace(/^must be /, ''))
  return [{ path: at, message: `must be ${[...new Set(kinds)].join(' or ')}` }]
}

const isTypeIssue = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0
/** An issue contains its input only on request; its message always shows what was received. */
const isMissingIssue = (issue: Issue): boolean =>
  issue.code === 'invalid_type' && /received undefined$/.test(issue.message)

function describeIssue(issue: Issue): string {
  // Messages of our own schemas are shown unchanged; only zod's own begin like this.
  if (!/^(Invalid|Too|Unrecognized)\b/.test(issue.message)) return issue.message
  if (isMissingIssue(issue)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES.get(issue.expected) ?? issue.expected}`
    case 'too_small':
      return describeBound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')
    case 'too_big':
      return describeBound(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'invalid_format':
      return FORMAT_MESSAGES.get(issue.format) ?? `must be a valid ${issue.format}`
    default:
      return 'is not valid'
  }
}

const TYPE_NAMES = new Map<string, string>([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
])
const FORMAT_MESSAGES = new Map<string, string>([
  ['guid', 'must be an id in UUID form'],
  ['datetime', 'must be a time in ISO 8601 form with its zone'],
  ['url', 'must be a URL'],
])

function describeBound(issue: { origin: string; exact?: boolean }, limit: number | bigint, side: string): string {
  const amount = `${issue.exact ? 'exactly' : side} ${limit}`
  const plural = Number(limit) === 1 ? '' : 's'
  if (issue.origin === 'string') return `must have ${amount} character${plural}`
  return issue.origin === 'array' ? `must have ${amount} item${plural}` : `must be ${amount}`
}

/** One invalid field of a request, named by its location: `body.name`, `headers.run-id`. */
export const invalidFieldError = (path: string, message: string) =>
  new ProblemError({ kind: 'invalid', status: 400, message: `${path} ${message}`, fields: [{ path, message }] })
