import {
  type CheckType,
  JSON_CHECKS,
  JUDGE_CHECKS,
  RETRIEVAL_CHECKS,
  TEXT_CHECKS,
  WIRE_CHECKS,
  WORKFLOW_CHECKS,
} from '#contract/console/checks.ts'
import type { SuiteTarget } from '#contract/console/suites.ts'

/** `text`, `lines` and `json` are ways to write the `value` of a check. */
export type CheckField =
  | 'text'
  | 'lines'
  | 'json'
  | 'node'
  | 'path'
  | 'n'
  | 'k'
  | 'threshold'
  | 'currency'
  | 'judge'
  | 'input'
  | 'against'
  | 'metric'
  | 'weight'

/** The fields of a check's parameters, in the order of the form. */
export const CHECK_FIELDS: Record<CheckType, readonly CheckField[]> = {
  'hit@k': ['k'],
  'recall@k': ['k', 'threshold'],
  'precision@k': ['k', 'threshold'],
  mrr: ['k', 'threshold'],
  'ndcg@k': ['k', 'threshold'],
  cites: ['lines', 'k'],
  'score-at-least': ['json'],
  equals: ['text'],
  contains: ['text'],
  icontains: ['text'],
  'contains-any': ['lines'],
  'contains-all': ['lines', 'threshold'],
  'starts-with': ['text'],
  regex: ['text'],
  levenshtein: ['text', 'threshold'],
  'rouge-n': ['text', 'n', 'threshold'],
  similar: ['text', 'threshold'],
  'is-refusal': [],
  'is-json': ['json'],
  'contains-json': ['json'],
  'json-path': ['path', 'json'],
  'first-token': ['threshold'],
  latency: ['threshold'],
  'longest-stall': ['threshold'],
  tokens: ['threshold'],
  cost: ['threshold', 'currency'],
  'ends-with-terminal-event': [],
  'no-drift': ['threshold'],
  'node-ran': ['node'],
  'node-not-ran': ['node'],
  'node-order': ['lines'],
  'node-output': ['node', 'path', 'json'],
  'node-latency': ['node', 'threshold'],
  retries: ['node', 'threshold'],
  exceptions: ['threshold'],
  'pauses-for-form': [],
  'llm-rubric': ['judge', 'input', 'text', 'threshold'],
  factuality: ['judge', 'input', 'text', 'threshold'],
  'context-faithfulness': ['judge', 'input', 'threshold'],
  'context-recall': ['judge', 'input', 'text', 'threshold'],
  pairwise: ['judge', 'input', 'against', 'text', 'threshold'],
}

/** The groups of checks that can be decided for a target. */
export const CHECK_GROUPS: Record<SuiteTarget, readonly { name: CheckGroup; types: readonly CheckType[] }[]> = {
  retrieval: [
    { name: 'retrieval', types: RETRIEVAL_CHECKS },
    { name: 'judge', types: ['context-recall'] },
  ],
  chat: toGroups('text', 'json', 'wire', 'retrieval', 'workflow', 'judge'),
  completion: toGroups('text', 'json', 'wire', 'judge'),
  workflow: toGroups('text', 'json', 'wire', 'workflow', 'judge'),
}

type CheckGroup = 'text' | 'json' | 'wire' | 'retrieval' | 'workflow' | 'judge'

function toGroups(...names: CheckGroup[]) {
  const types = {
    text: TEXT_CHECKS,
    json: JSON_CHECKS,
    wire: WIRE_CHECKS,
    retrieval: RETRIEVAL_CHECKS,
    workflow: WORKFLOW_CHECKS,
    judge: JUDGE_CHECKS,
  }
  return names.map((name) => ({ name, types: types[name] }))
}
