import type { z } from 'zod'
import type { ProcessRule } from '#contract/shapes.ts'
import { invalidParam } from '../errors.ts'
import { decodeSeparator, type Cut } from './split.ts'
import type { Tidying } from './tidy.ts'

export const DOC_FORMS = ['text_model', 'hierarchical_model', 'qa_model'] as const
export type DocForm = (typeof DOC_FORMS)[number]

/** A process rule as it is stored and answered: upstream's words, everything filled in. */
export interface Rule {
  mode: 'automatic' | 'custom' | 'hierarchical'
  rules: {
    pre_processing_rules: { id: string; enabled: boolean }[]
    segmentation: Segmentation
    parent_mode?: 'full-doc' | 'paragraph'
    subchunk_segmentation?: Segmentation
  }
}
interface Segmentation {
  separator: string
  max_tokens: number
  chunk_overlap: number
}

/** Upstream's default bound of `max_tokens` ("6. Limits" of the upstream facts). */
export const MOST_TOKENS = 4000

/** Splits by size alone, 500 tokens with 50 repeated, spaces removed. What it says of a separator is what it prefers. */
export const AUTOMATIC: Rule = {
  mode: 'automatic',
  rules: {
    pre_processing_rules: [
      { id: 'remove_extra_spaces', enabled: true },
      { id: 'remove_urls_emails', enabled: false },
    ],
    segmentation: { separator: '\n', max_tokens: 500, chunk_overlap: 50 },
  },
}

const PRE_PROCESSING = ['remove_extra_spaces', 'remove_urls_emails', 'remove_stopwords']
const MODES = ['automatic', 'custom', 'hierarchical'] as const
const PARENT_MODES = ['paragraph', 'full-doc'] as const
const PARENT: Segmentation = { separator: '\n\n', max_tokens: 500, chunk_overlap: 0 }
const CHILD: Segmentation = { separator: '\n', max_tokens: 200, chunk_overlap: 0 }

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

/** How a document of this form is made into chunks: parents only where the form has children. */
export interface Plan {
  tidying: Tidying
  cut: Cut
  /** Null where the chunks have no children. */
  childCut: Cut | null
}

/** Tokens of the parent in `full-doc` mode; a longer document has several parents, so that no text is lost. */
export const FULL_DOC_TOKENS = 10_000

export function planOf({ mode, rules }: Rule, form: DocForm): Plan {
  const enabled = (id: string) => rules.pre_processing_rules.some((rule) => rule.id === id && rule.enabled)
  const tidying = {
    remove_extra_spaces: enabled('remove_extra_spaces'),
    remove_urls_emails: enabled('remove_urls_emails'),
  }
  const cut = { ...cutOf(rules.segmentation), ...(mode === 'automatic' ? { separator: null } : {}) }
  if (form !== 'hierarchical_model') return { tidying, cut, childCut: null }
  const childCut = cutOf(rules.subchunk_segmentation ?? CHILD)
  if (rules.parent_mode === 'full-doc')
    return { tidying, cut: { separator: null, max_tokens: FULL_DOC_TOKENS, chunk_overlap: 0 }, childCut }
  return { tidying, cut: { ...cut, chunk_overlap: 0 }, childCut }
}

const cutOf = ({ separator, max_tokens, chunk_overlap }: Segmentation): Cut => ({
  separator: decodeSeparator(separator),
  max_tokens,
  chunk_overlap,
})

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
