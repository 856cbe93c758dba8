import { z } from 'zod'
import { Id } from '../endpoint.ts'

/** The checks of retrieval, by id. They need no model. */
export const RETRIEVAL_CHECKS = [
  'hit@k',
  'recall@k',
  'precision@k',
  'mrr',
  'ndcg@k',
  'cites',
  'score-at-least',
] as const
export const TEXT_CHECKS = [
  'equals',
  'contains',
  'icontains',
  'contains-any',
  'contains-all',
  'starts-with',
  'regex',
  'levenshtein',
  'rouge-n',
  'similar',
  'is-refusal',
] as const
export const JSON_CHECKS = ['is-json', 'contains-json', 'json-path'] as const
/** The checks of how a run was answered: times, usage and the end of its stream. */
export const WIRE_CHECKS = [
  'first-token',
  'latency',
  'longest-stall',
  'tokens',
  'cost',
  'ends-with-terminal-event',
  'no-drift',
] as const
/** The checks of the nodes of a workflow or a chatflow. */
export const WORKFLOW_CHECKS = [
  'node-ran',
  'node-not-ran',
  'node-order',
  'node-output',
  'node-latency',
  'retries',
  'exceptions',
  'pauses-for-form',
] as const
/** The checks decided by a judge, which is an app of the platform. Each is a run of it, at its price. */
export const JUDGE_CHECKS = ['llm-rubric', 'factuality', 'context-faithfulness', 'context-recall', 'pairwise'] as const
export const RUN_CHECKS = [...TEXT_CHECKS, ...JSON_CHECKS, ...WIRE_CHECKS, ...WORKFLOW_CHECKS] as const
export const CHECK_TYPES = [...RETRIEVAL_CHECKS, ...RUN_CHECKS, ...JUDGE_CHECKS] as const
export type CheckType = (typeof CHECK_TYPES)[number]
export type RetrievalCheckType = (typeof RETRIEVAL_CHECKS)[number]
export type TextCheckType = (typeof TEXT_CHECKS)[number]
export type JsonCheckType = (typeof JSON_CHECKS)[number]
export type WireCheckType = (typeof WIRE_CHECKS)[number]
export type WorkflowCheckType = (typeof WORKFLOW_CHECKS)[number]
export type JudgeCheckType = (typeof JUDGE_CHECKS)[number]

export const MAX_CHECKS = 30
/** Words per unit of `rouge-n`. */
const MAX_NGRAM_WORDS = 4
/** What `pairwise` compares an answer with. */
export const PAIRWISE_REFERENCES = ['expected', 'baseline'] as const

const checkFields = {
  type: z.enum([...CHECK_TYPES, ...CHECK_TYPES.map((type) => `not-${type}` as const)], {
    error: ({ input }) =>
      input === undefined ? undefined : `must be one of ${CHECK_TYPES.join(', ')}, or not- and one of them`,
  }),
  /**
   * What it compares with: a text, a list of texts, ids for `cites`, a score for `score-at-least`, a JSON Schema for
   * `is-json`, a JSON value for `json-path`, the criterion for `llm-rubric` and `pairwise`. Text checks without it
   * compare with the answer that the case expects.
   */
  value: z.unknown().optional(),
  /** Number of top results; default: all. */
  k: z.number().int().min(1).max(100).optional(),
  /** The minimum score, or the maximum in milliseconds, tokens, units of currency or edits; default: that of the type. */
  threshold: z.number().optional(),
  /** In the average of its metric; default 1. With 0 the check only informs and never fails a case. */
  weight: z.number().min(0).max(100).optional(),
  /** The name under which the scores of an experiment are averaged. */
  metric: z.string().trim().min(1).max(60).optional(),
  node: z.string().trim().min(1).max(255).optional(),
  /** For `json-path` starting at `$.answer` or `$.outputs`, for `node-output` relative to the outputs of the node. */
  path: z.string().trim().min(1).max(500).optional(),
  /** For `cost`, as named by the platform. */
  currency: z.string().trim().min(1).max(12).optional(),
  /** Words per unit of `rouge-n`. */
  n: z.number().int().min(1).max(MAX_NGRAM_WORDS).optional(),
  /** The key of the judging app: a chat, completion or workflow of the workspace. */
  judge: Id.optional(),
  /** The input of a judge without a question that receives the text to judge; default `query`. */
  input: z.string().trim().min(1).max(255).optional(),
  /** For `pairwise`: whether the other answer is that of the case or of the baseline. */
  against: z.enum(PAIRWISE_REFERENCES).optional(),
}

/** A check of a result. Names are promptfoo's where it has them, so that files move both ways. */
export const Check = z.strictObject(checkFields).superRefine((check, context) => {
  const invalid = findInvalidParameter(check)
  if (invalid) context.addIssue({ code: 'custom', path: [invalid.field], message: invalid.message, input: check })
})
export type Check = z.output<z.ZodObject<typeof checkFields>>

/** Splits the negation from the name of a type. */
export function parseCheckType(type: Check['type']): { type: CheckType; isNegated: boolean } {
  return type.startsWith('not-')
    ? { type: type.slice('not-'.length) as CheckType, isNegated: true }
    : { type: type as CheckType, isNegated: false }
}

type Parameter = 'value' | 'threshold' | 'node' | 'path' | 'currency' | 'judge'

/** The parameters without which a check can never be decided. */
const REQUIRED_PARAMETERS: Partial<Record<CheckType, readonly Parameter[]>> = {
  regex: ['value'],
  'contains-any': ['value'],
  'contains-all': ['value'],
  'json-path': ['path'],
  'first-token': ['threshold'],
  latency: ['threshold'],
  'longest-stall': ['threshold'],
  tokens: ['threshold'],
  cost: ['threshold', 'currency'],
  'node-ran': ['node'],
  'node-not-ran': ['node'],
  'node-order': ['value'],
  'node-output': ['node', 'path'],
  'node-latency': ['node', 'threshold'],
  'llm-rubric': ['value', 'judge'],
  factuality: ['judge'],
  'context-faithfulness': ['judge'],
  'context-recall': ['judge'],
  pairwise: ['judge'],
}
const TEXT_VALUES: readonly CheckType[] = [
  'contains',
  'icontains',
  'starts-with',
  'levenshtein',
  'rouge-n',
  'similar',
  ...JUDGE_CHECKS,
]
const LIST_VALUES: readonly CheckType[] = ['contains-any', 'contains-all', 'node-order']

function findInvalidParameter(check: Check): { field: Parameter; message: string } | null {
  const { type } = parseCheckType(check.type)
  const missing = REQUIRED_PARAMETERS[type]?.find((name) => check[name] === undefined)
  if (missing) return { field: missing, message: `is required for ${type}` }
  const { value } = check
  if (LIST_VALUES.includes(type) && !isTextList(value))
    return { field: 'value', message: `must be a list of texts for ${type}` }
  if (TEXT_VALUES.includes(type) && value !== undefined && (typeof value !== 'string' || value === ''))
    return { field: 'value', message: `must be a text for ${type}` }
  if (type === 'regex' && !isPattern(value)) return { field: 'value', message: 'must be a regular expression' }
  return null
}

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '')

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false
  try {
    new RegExp(value)
    return true
  } catch {
    return false
  }
}

/** `error`: it could not be decided, which is neither a pass nor a fail. */
export const VERDICTS = ['pass', 'fail', 'error'] as const

export const Verdict = z.object({
  type: z.string(),
  verdict: z.enum(VERDICTS),
  score: z.number().nullable(),
  reason: z.string(),
  judge_run: z.string().nullable().optional(),
})
export type Verdict = z.output<typeof Verdict>
