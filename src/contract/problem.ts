import { z } from 'zod'

/**
 * The one error shape of the console.
 * `invalid` our schema refused, `refused` the platform said no (its status and body verbatim), `mismatch` the reply is not
 * what was asked for, `unreachable` no connection, `late` a time limit passed, `cut` the line broke, `denied` you may not,
 * `fault` ours (the message is hidden, `id` finds it in the log).
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
  /** What the platform said: its HTTP status and its body (parsed JSON, or text cut at 4 KiB). */
  upstream: z.object({ status: z.number(), body: z.unknown() }).optional(),
})
export type Problem = z.output<typeof Problem>

/** A Problem that can be thrown. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** The HTTP status under which the console sends a Problem. An upstream 401 is 424, so it never signs the person out. */
export const STATUS_OF: Record<ProblemKind, number> = {
  invalid: 400,
  refused: 424,
  mismatch: 502,
  unreachable: 502,
  late: 504,
  cut: 502,
  denied: 403,
  fault: 500,
}

/** Says which fields are wrong and what would be right. `part` is where they stand: params, query or body. */
export function invalid(part: string, error: z.core.$ZodError): Problem {
  const fields = error.issues.flatMap((issue) => flatten(issue, part))
  const first = fields[0]
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return { kind: 'invalid', status: 400, message: first ? `${first.path} ${first.message}${more}` : 'invalid', fields }
}

function flatten(issue: z.core.$ZodIssue, part: string): z.output<typeof FieldProblem>[] {
  const path = [part, ...issue.path.map(String)].filter(Boolean).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: `${path}.${key}`, message: 'is not a field of this request' }))
  return [{ path, message: wording(issue) }]
}

function wording(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || /received undefined/.test(issue.message)
        ? 'is required'
        : `must be ${article(issue.expected)}`
    case 'too_small':
      return `must ${size(issue.origin)}at least ${issue.minimum}${unit(issue.origin, Number(issue.minimum))}`
    case 'too_big':
      return `must ${size(issue.origin)}at most ${issue.maximum}${unit(issue.origin, Number(issue.maximum))}`
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'invalid_format':
      return issue.format === 'guid' ? 'must be an id in UUID form' : `must be a valid ${issue.format}`
    default:
      return issue.message
  }
}

const article = (expected: string) => (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`)
const size = (origin: string) => (origin === 'string' || origin === 'array' ? 'have ' : 'be ')
const unit = (origin: string, amount: number) =>
  origin === 'string'
    ? ` character${amount === 1 ? '' : 's'}`
    : origin === 'array'
      ? ` item${amount === 1 ? '' : 's'}`
      : ''
