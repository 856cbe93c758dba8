import { numberOf, separatorOf, textOf } from '../../ui/fields/typed.ts'

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
}
export type TypedDocument = typeof emptyDocument

/** The body of operation 3. Platforms refuse a body without `indexing_technique` and `process_rule`, so both are always in it. */
export const bodyOf = (typed: TypedDocument): Record<string, unknown> => ({
  name: typed.name,
  text: typed.text,
  ...settingsOf(typed),
})

/** What a document made from a file is told beside the file, whose name it takes. */
export const settingsOf = (typed: TypedDocument): Record<string, unknown> => ({
  indexing_technique: typed.indexing_technique,
  ...shapeOf(typed),
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
