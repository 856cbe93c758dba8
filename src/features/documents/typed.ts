import { numberOf, separatorOf, textOf } from '../../ui/fields/typed.ts'

/** The form of a document as it is typed, under the names of operation 3. */
export const emptyDocument = {
  name: '',
  text: '',
  indexing_technique: 'high_quality',
  doc_form: 'text_model',
  doc_language: '',
  process_rule: {
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
export function bodyOf(typed: TypedDocument): Record<string, unknown> {
  const { mode, rules, remove_extra_spaces, remove_urls_emails } = typed.process_rule
  return {
    name: typed.name,
    text: typed.text,
    indexing_technique: typed.indexing_technique,
    doc_form: typed.doc_form,
    ...(textOf(typed.doc_language) ? { doc_language: textOf(typed.doc_language) } : {}),
    process_rule: {
      mode,
      ...(mode === 'automatic'
        ? {}
        : {
            rules: {
              pre_processing_rules: [
                { id: 'remove_extra_spaces', enabled: remove_extra_spaces },
                { id: 'remove_urls_emails', enabled: remove_urls_emails },
              ],
              segmentation: segmentationOf(rules.segmentation),
              ...(mode === 'hierarchical'
                ? {
                    parent_mode: rules.parent_mode,
                    subchunk_segmentation: segmentationOf(rules.subchunk_segmentation),
                  }
                : {}),
            },
          }),
    },
  }
}

const segmentationOf = (typed: TypedDocument['process_rule']['rules']['segmentation']) => ({
  separator: separatorOf(typed.separator),
  max_tokens: numberOf(typed.max_tokens),
  chunk_overlap: numberOf(typed.chunk_overlap),
})
