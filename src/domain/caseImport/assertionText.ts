import { Check, CHECK_TYPES, type CheckType } from '#contract/console/checks.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import { isReadablePath, PATH_MESSAGE } from '../checks/jsonValue.ts'
import { parseLosslessJson } from '../losslessJson.ts'

/** A check, or why the text is not one. */
export type ParsedCheck = { check: Check; fault: null } | { check: null; fault: string }

const ASSERTION_PATTERN = /^(not-)?([a-z@-]+)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/
/** Assertions of promptfoo that run code, use a model or need data that Loupe does not have. */
const FOREIGN_PATTERN =
  /^(?:not-)?(javascript|fn|eval|python|ruby|webhook|grade|llm-rubric|g-eval|pi|factuality|model-graded-[a-z]+|answer-relevance|context-[a-z]+|conversation-relevance|classifier|moderation|guardrails|perplexity(?:-score)?|bleu|gleu|meteor|icontains-a(?:ny|ll)|is-(?:sql|xml|html|valid-[a-z-]+)|contains-(?:sql|xml|html)|finish-reason|select-best|max-score|search-rubric|trace-[a-z-]+|trajectory:[a-z-]+|word-count|human)(?=[:(]|$)|^(file:\/\/)/

const LIST_TYPES: readonly CheckType[] = ['contains-any', 'contains-all', 'node-order', 'cites']
const JSON_TYPES: readonly CheckType[] = ['is-json', 'contains-json']
const LIMIT_TYPES: readonly CheckType[] = ['latency', 'first-token', 'longest-stall', 'tokens']

/**
 * A cell of promptfoo's `__expected`: `contains: 30 days`, `not-icontains: sorry`, `similar(0.8): text`, or the
 * expected answer.
 */
export function parseAssertion(text: string, more: { threshold?: number; metric?: string } = {}): ParsedCheck {
  const cell = text.trim()
  const [, negation = '', name, limit, value] = ASSERTION_PATTERN.exec(cell) ?? []
  if (!CHECK_TYPES.some((type) => type === name)) {
    const foreign = FOREIGN_PATTERN.exec(cell)?.slice(1).find(Boolean)
    return foreign
      ? failCheck(`The check ${foreign} does not exist here.`)
      : toCheck({ type: 'equals', value: cell, ...more })
  }
  return readAssertion({
    type: `${negation}${name}`,
    value: value?.trim() || undefined,
    threshold: limit && Number(limit),
    ...more,
  })
}

/** An assertion as an object, as in promptfoo's YAML and JSON. */
export function readAssertion(assertion: Record<string, unknown>): ParsedCheck {
  const name = String(assertion.type ?? '').replace(/^not-/, '')
  const type = CHECK_TYPES.find((one) => one === name)
  if (!type) return failCheck(`The check ${name || 'without a type'} does not exist here.`)
  const { value } = assertion
  if (typeof value !== 'string') return toCheck(assertion)
  if (LIST_TYPES.includes(type)) return toCheck({ ...assertion, value: value.split(',').map((one) => one.trim()) })
  if (LIMIT_TYPES.includes(type) && assertion.threshold === undefined)
    return toCheck({ ...assertion, value: undefined, threshold: Number(value) })
  if (!JSON_TYPES.includes(type)) return toCheck(assertion)
  try {
    return toCheck({ ...assertion, value: parseLosslessJson(value) })
  } catch {
    return failCheck(`The value of ${type} must be a JSON Schema.`)
  }
}

function toCheck(value: unknown): ParsedCheck {
  const parsed = Check.safeParse(value)
  if (!parsed.success) {
    const { fields = [] } = toInvalidProblem('', parsed.error)
    const faults = fields.map(({ path, message }) => `${path} ${message}`)
    return failCheck(faults.join('; ').replaceAll('of this request', 'of a check'))
  }
  // Only the server checks JSON Schemas: the code for it would be a tenth of the browser's.
  return isReadablePath(parsed.data.path) ? { check: parsed.data, fault: null } : failCheck(`path ${PATH_MESSAGE}`)
}

const failCheck = (fault: string): ParsedCheck => ({ check: null, fault })
