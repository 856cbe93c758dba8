import type { z } from 'zod'
import type { ProcessRule } from '#contract/shapes.ts'
import { compact, numberOf, separatorOf, textOf } from '../../ui/fields/typed.ts'
import { emptyRetrieval, type Speech, writeRetrieval } from '../../ui/retrieval/retrieval.ts'

/** The form of a document as it is typed, under the names of operation 3. */
export const emptyDocument = {
  name: '',
  text: '',
  indexing_technique: 'high_quality',
  doc_form: 'text_model',
  doc_language: '',
  process_rule: {
    /** Empty where an update leaves the rule to the platform. */
    mode: 'automatic',
    rules: {
      segmentation: { separator: '\\n\\n', max_tokens: '500', chunk_overlap: '50' },
      parent_mode: 'paragraph',
      subchunk_segmentation: { separator: '\\n', max_tokens: '200', chunk_overlap: '0' },
    },
    remove_extra_spaces: true,
    remove_urls_emails: false,
  },
  embedding_model: '',
  embedding_model_provider: '',
  retrieval_model: emptyRetrieval,
}
export type TypedDocument = typeof emptyDocument

/** The body of operation 3. Platforms refuse a body without `indexing_technique` and `process_rule`, so both are always in it. */
export const bodyOf = (typed: TypedDocument, heard: Speech | null): Record<string, unknown> => ({
  name: typed.name,
  text: typed.text,
  ...settingsOf(typed, heard),
})

/** What a document made from a file is told beside the file, whose name it takes. */
export const settingsOf = (typed: TypedDocument, heard: Speech | null): Record<string, unknown> => ({
  indexing_technique: typed.indexing_technique,
  ...shapeOf(typed),
  ...compact({
    embedding_model: textOf(typed.embedding_model),
    embedding_model_provider: textOf(typed.embedding_model_provider),
    retrieval_model: writeRetrieval(typed.retrieval_model, {
      speech: (typed.retrieval_model.speech as Speech | '') || (heard ?? 'interface'),
      embedding: { provider: typed.embedding_model_provider, model: typed.embedding_model },
    }),
  }),
})

/** The body of operation 4. `doc_form` is always sent: a platform that is not told it takes the plain one. */
export const textUpdateOf = (typed: TypedDocument): Record<string, unknown> => ({
  name: typed.name,
  text: typed.text,
  ...shapeOf(typed),
})

/** The `data` part of operation 5. */
export const fileUpdateOf = (typed: TypedDocument): Record<string, unknown> => ({
  ...(textOf(typed.name) ? { name: typed.name } : {}),
  ...shapeOf(typed),
})

const shapeOf = (typed: TypedDocument) => ({
  doc_form: typed.doc_form,
  ...(textOf(typed.doc_language) ? { doc_language: textOf(typed.doc_language) } : {}),
  ...(typed.process_rule.mode === '' ? {} : { process_rule: ruleOf(typed.process_rule) }),
})

/** A process rule as it is sent; `automatic` has no rules of its own. */
export function ruleOf({ mode, rules, remove_extra_spaces, remove_urls_emails }: TypedDocument['process_rule']) {
  if (mode === 'automatic') return { mode }
  return {
    mode,
    rules: {
      pre_processing_rules: [
        { id: 'remove_extra_spaces', enabled: remove_extra_spaces },
        { id: 'remove_urls_emails', enabled: remove_urls_emails },
      ],
      segmentation: segmentationOf(rules.segmentation),
      ...(mode === 'hierarchical'
        ? { parent_mode: rules.parent_mode, subchunk_segmentation: segmentationOf(rules.subchunk_segmentation) }
        : {}),
    },
  }
}

const segmentationOf = (typed: TypedDocument['process_rule']['rules']['segmentation']) => ({
  separator: separatorOf(typed.separator),
  max_tokens: numberOf(typed.max_tokens),
  chunk_overlap: numberOf(typed.chunk_overlap),
})

/** A process rule as it is typed, of one that is sent. What it does not say stays as in `before`. */
export function typedRuleOf(
  { mode, rules }: z.input<typeof ProcessRule>,
  before: TypedDocument['process_rule'],
): TypedDocument['process_rule'] {
  const enabled = (id: string, otherwise: boolean) =>
    rules?.pre_processing_rules?.find((one) => one.id === id)?.enabled ?? otherwise
  const cut = (name: 'segmentation' | 'subchunk_segmentation') => {
    const { separator, max_tokens, chunk_overlap } = rules?.[name] ?? {}
    return {
      separator: separator === undefined ? before.rules[name].separator : typedSeparatorOf(separator),
      max_tokens: String(max_tokens ?? before.rules[name].max_tokens),
      chunk_overlap: String(chunk_overlap ?? before.rules[name].chunk_overlap),
    }
  }
  return {
    mode,
    rules: {
      segmentation: cut('segmentation'),
      parent_mode: rules?.parent_mode ?? before.rules.parent_mode,
      subchunk_segmentation: cut('subchunk_segmentation'),
    },
    remove_extra_spaces: enabled('remove_extra_spaces', before.remove_extra_spaces),
    remove_urls_emails: enabled('remove_urls_emails', before.remove_urls_emails),
  }
}

const typedSeparatorOf = (separator: string): string =>
  separator.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
