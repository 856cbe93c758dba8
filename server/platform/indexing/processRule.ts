import type { z } from 'zod'
import type { ProcessRule } from '#contract/platform/schemas.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import {
  AUTOMATIC_RULE,
  DEFAULT_CHILD_SEGMENTATION,
  DEFAULT_PARENT_SEGMENTATION,
  type StoredProcessRule,
  type Segmentation,
} from '#domain/chunking/chunkingPlan.ts'

/** Upstream's default maximum of `max_tokens`. */
export const MAX_CHUNK_TOKENS = 4000

const PRE_PROCESSING = ['remove_extra_spaces', 'remove_urls_emails', 'remove_stopwords']
const MODES = ['automatic', 'custom', 'hierarchical'] as const
const PARENT_MODES = ['paragraph', 'full-doc'] as const
type ProcessRuleInput = z.output<typeof ProcessRule>

/** @throws PlatformError 400 `invalid_param` that names the field */
export function parseProcessRule(given: ProcessRuleInput): StoredProcessRule {
  const mode = requireOneOf('process_rule.mode', MODES, given.mode)
  if (mode === 'automatic') return AUTOMATIC_RULE
  const rules = given.rules
  if (!rules) throw toInvalidParamError(`process_rule.rules is required when mode is ${mode}`)
  if (mode === 'custom' && !rules.segmentation)
    throw toInvalidParamError('process_rule.rules.segmentation is required when mode is custom')
  const parse = (name: 'segmentation' | 'subchunk_segmentation', base: Segmentation) =>
    parseSegmentation(`process_rule.rules.${name}`, rules[name], base)
  const shared = {
    pre_processing_rules: (rules.pre_processing_rules ?? []).map(({ id, enabled }, index) => ({
      id: requireOneOf(`process_rule.rules.pre_processing_rules.${index}.id`, PRE_PROCESSING, id),
      enabled,
    })),
    segmentation: parse('segmentation', DEFAULT_PARENT_SEGMENTATION),
  }
  if (mode === 'custom') return { mode, rules: shared }
  return {
    mode,
    rules: {
      ...shared,
      parent_mode: requireOneOf('process_rule.rules.parent_mode', PARENT_MODES, rules.parent_mode ?? 'paragraph'),
      subchunk_segmentation: parse('subchunk_segmentation', DEFAULT_CHILD_SEGMENTATION),
    },
  }
}

function parseSegmentation(field: string, given: Partial<Segmentation> | undefined, base: Segmentation): Segmentation {
  const { separator = base.separator, max_tokens = base.max_tokens, chunk_overlap = base.chunk_overlap } = given ?? {}
  if (separator === '') throw toInvalidParamError(`${field}.separator must have at least 1 character`)
  if (max_tokens > MAX_CHUNK_TOKENS)
    throw toInvalidParamError(`${field}.max_tokens must be at most ${MAX_CHUNK_TOKENS}`)
  if (chunk_overlap >= max_tokens) throw toInvalidParamError(`${field}.chunk_overlap must be smaller than max_tokens`)
  return { separator, max_tokens, chunk_overlap }
}

function requireOneOf<Word extends string>(field: string, words: readonly Word[], given: string): Word {
  const word = words.find((known) => known === given)
  if (!word) throw toInvalidParamError(`${field} must be ${words.map((known) => JSON.stringify(known)).join(' or ')}`)
  return word
}
