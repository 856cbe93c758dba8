import type { z } from 'zod'
import type { ProcessRule } from '#contract/shapes.ts'
import { invalidParam } from '../errors.ts'
import { AUTOMATIC, CHILD, PARENT, type Rule, type Segmentation } from '#contract/cutting/plan.ts'

/** Upstream's default bound of `max_tokens` ("6. Limits" of the upstream facts). */
export const MOST_TOKENS = 4000

const PRE_PROCESSING = ['remove_extra_spaces', 'remove_urls_emails', 'remove_stopwords']
const MODES = ['automatic', 'custom', 'hierarchical'] as const
const PARENT_MODES = ['paragraph', 'full-doc'] as const
type Given = z.output<typeof ProcessRule>

/**
 * Reads the process rule of a request.
 * @throws PlatformError 400 `invalid_param` that names the field.
 */
export function readRule(given: Given): Rule {
  const mode = oneOf('process_rule.mode', MODES, given.mode)
  if (mode === 'automatic') return AUTOMATIC
  const rules = given.rules
  if (!rules) throw invalidParam(`process_rule.rules is required when mode is ${mode}`)
  if (mode === 'custom' && !rules.segmentation)
    throw invalidParam('process_rule.rules.segmentation is required when mode is custom')
  const shared = {
    pre_processing_rules: (rules.pre_processing_rules ?? []).map(({ id, enabled }, index) => ({
      id: oneOf(`process_rule.rules.pre_processing_rules.${index}.id`, PRE_PROCESSING, id),
      enabled,
    })),
    segmentation: segmentation('segmentation', rules.segmentation, PARENT),
  }
  if (mode === 'custom') return { mode, rules: shared }
  return {
    mode,
    rules: {
      ...shared,
      parent_mode: oneOf('process_rule.rules.parent_mode', PARENT_MODES, rules.parent_mode ?? 'paragraph'),
      subchunk_segmentation: segmentation('subchunk_segmentation', rules.subchunk_segmentation, CHILD),
    },
  }
}

function segmentation(name: string, given: Partial<Segmentation> | undefined, base: Segmentation): Segmentation {
  const field = `process_rule.rules.${name}`
  const { separator = base.separator, max_tokens = base.max_tokens, chunk_overlap = base.chunk_overlap } = given ?? {}
  if (separator === '') throw invalidParam(`${field}.separator must have at least 1 character`)
  if (max_tokens > MOST_TOKENS) throw invalidParam(`${field}.max_tokens must be at most ${MOST_TOKENS}`)
  if (chunk_overlap >= max_tokens) throw invalidParam(`${field}.chunk_overlap must be smaller than max_tokens`)
  return { separator, max_tokens, chunk_overlap }
}

function oneOf<Word extends string>(field: string, words: readonly Word[], given: string): Word {
  const word = words.find((known) => known === given)
  if (!word) throw invalidParam(`${field} must be ${words.map((known) => JSON.stringify(known)).join(' or ')}`)
  return word
}
