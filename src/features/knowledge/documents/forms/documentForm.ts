import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { ProcessRule } from '#contract/platform/schemas.ts'
import {
  compactObject,
  parseNumberField,
  unescapeSeparator,
  parseTextField,
} from '../../../../components/forms/fieldParsers.ts'
import {
  emptyRetrievalForm,
  type RetrievalDialect,
  toEconomyForm,
  toRetrievalBody,
} from '../../retrieval/retrievalModelForm.ts'

/** The form of a document as typed, named as in operation 3. */
export const emptyDocumentForm = {
  name: '',
  text: '',
  indexing_technique: 'high_quality',
  doc_form: 'text_model',
  doc_language: '',
  process_rule: {
    /** Empty if the platform keeps its rule in an update. */
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
  retrieval_model: emptyRetrievalForm,
}
export type DocumentForm = typeof emptyDocumentForm

/** What the dataset already has; platforms refuse another `doc_form` in it. Null: not decided, or not known. */
export interface DatasetDefaults {
  technique: string | null
  docForm: string | null
}

/** The initial form of a new document: the draft of this tab, with the `doc_form` that the dataset allows. */
export function toNewDocumentForm(
  { technique, docForm }: DatasetDefaults,
  draft: Partial<DocumentForm> | null,
): DocumentForm {
  const proposed = {
    ...emptyDocumentForm,
    indexing_technique: technique ?? emptyDocumentForm.indexing_technique,
    ...draft,
  }
  if (docForm === null || docForm === proposed.doc_form) return proposed
  return {
    ...proposed,
    doc_form: docForm,
    process_rule: { ...proposed.process_rule, mode: toDefaultMode(docForm) },
  }
}

/** Parents with children are split by the hierarchical rule. */
export const toDefaultMode = (doc_form: string): string =>
  doc_form === 'hierarchical_model' ? 'hierarchical' : 'automatic'
export type DocumentFormApi<Sent> = UseFormReturn<DocumentForm, unknown, Sent>

/** The body of operation 3. Platforms refuse a body without `indexing_technique` and `process_rule`, so both are always in it. */
export const toCreateTextBody = (form: DocumentForm, dialect: RetrievalDialect | null): Record<string, unknown> => ({
  name: form.name,
  text: form.text,
  ...toFileSettings(form, dialect),
})

/** The `data` part of a document from a file, which takes the file's name. */
export const toFileSettings = (form: DocumentForm, dialect: RetrievalDialect | null): Record<string, unknown> => ({
  indexing_technique: form.indexing_technique,
  ...toSharedSettings(form),
  ...compactObject({
    embedding_model: parseTextField(form.embedding_model),
    embedding_model_provider: parseTextField(form.embedding_model_provider),
    retrieval_model: toRetrievalBody(isEconomy(form) ? toEconomyForm(form.retrieval_model) : form.retrieval_model, {
      dialect: (form.retrieval_model.dialect as RetrievalDialect | '') || (dialect ?? 'interface'),
      embedding: { provider: form.embedding_model_provider, model: form.embedding_model },
    }),
  }),
})

const isEconomy = (form: DocumentForm): boolean => form.indexing_technique === 'economy'

/** The body of operation 4. `doc_form` is always sent: without it a platform uses the plain form. */
export const toTextUpdateBody = (form: DocumentForm): Record<string, unknown> => ({
  name: form.name,
  text: form.text,
  ...toSharedSettings(form),
})

/** The `data` part of operation 5. */
export const toFileUpdateBody = (form: DocumentForm): Record<string, unknown> => ({
  ...(parseTextField(form.name) ? { name: form.name } : {}),
  ...toSharedSettings(form),
})

const toSharedSettings = (form: DocumentForm) => ({
  doc_form: form.doc_form,
  ...(parseTextField(form.doc_language) ? { doc_language: parseTextField(form.doc_language) } : {}),
  ...(form.process_rule.mode === '' ? {} : { process_rule: toProcessRuleBody(form.process_rule) }),
})

/** A process rule as sent; `automatic` has no rules of its own. */
export function toProcessRuleBody({
  mode,
  rules,
  remove_extra_spaces,
  remove_urls_emails,
}: DocumentForm['process_rule']) {
  if (mode === 'automatic') return { mode }
  return {
    mode,
    rules: {
      pre_processing_rules: [
        { id: 'remove_extra_spaces', enabled: remove_extra_spaces },
        { id: 'remove_urls_emails', enabled: remove_urls_emails },
      ],
      segmentation: toSegmentationBody(rules.segmentation),
      ...(mode === 'hierarchical'
        ? { parent_mode: rules.parent_mode, subchunk_segmentation: toSegmentationBody(rules.subchunk_segmentation) }
        : {}),
    },
  }
}

const toSegmentationBody = (form: DocumentForm['process_rule']['rules']['segmentation']) => ({
  separator: unescapeSeparator(form.separator),
  max_tokens: parseNumberField(form.max_tokens),
  chunk_overlap: parseNumberField(form.chunk_overlap),
})

/** A process rule as typed, from one as sent. Missing fields are taken from `before`. */
export function toProcessRuleForm(
  { mode, rules }: z.input<typeof ProcessRule>,
  before: DocumentForm['process_rule'],
): DocumentForm['process_rule'] {
  const enabled = (id: string, fallback: boolean) =>
    rules?.pre_processing_rules?.find((one) => one.id === id)?.enabled ?? fallback
  const toSegmentationForm = (name: 'segmentation' | 'subchunk_segmentation') => {
    const { separator, max_tokens, chunk_overlap } = rules?.[name] ?? {}
    return {
      separator: separator === undefined ? before.rules[name].separator : escapeSeparator(separator),
      max_tokens: String(max_tokens ?? before.rules[name].max_tokens),
      chunk_overlap: String(chunk_overlap ?? before.rules[name].chunk_overlap),
    }
  }
  return {
    mode,
    rules: {
      segmentation: toSegmentationForm('segmentation'),
      parent_mode: rules?.parent_mode ?? before.rules.parent_mode,
      subchunk_segmentation: toSegmentationForm('subchunk_segmentation'),
    },
    remove_extra_spaces: enabled('remove_extra_spaces', before.remove_extra_spaces),
    remove_urls_emails: enabled('remove_urls_emails', before.remove_urls_emails),
  }
}

const escapeSeparator = (separator: string): string =>
  separator.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')

interface SegmentationInput {
  separator?: string
  max_tokens?: number
  chunk_overlap?: number
}

/**
 * Requirements of every platform, so that errors show at the field before a request.
 * @param hasRule whether the document has a rule, which an update may keep
 */
export const withRequiredDocumentFields = <Schema extends z.ZodType>(schema: Schema, hasRule = true): Schema =>
  schema.superRefine((body, context) => {
    const { text, process_rule } = body as {
      text?: string
      process_rule?: { rules?: Record<string, unknown> | null }
    }
    const requireField = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (text !== undefined && text !== '' && text.trim() === '') requireField(['text'], 'must not be blank')
    if (!hasRule && !process_rule)
      requireField(['process_rule', 'mode'], 'must be chosen: the document has no rule to keep')
    for (const name of ['segmentation', 'subchunk_segmentation']) {
      const separatorRule = process_rule?.rules?.[name] as SegmentationInput | undefined
      if (!separatorRule) continue
      const at = ['process_rule', 'rules', name]
      if (!separatorRule.separator) requireField([...at, 'separator'], 'must not be empty')
      if (separatorRule.max_tokens === undefined) requireField([...at, 'max_tokens'], 'is required')
      else if ((separatorRule.chunk_overlap ?? 0) >= separatorRule.max_tokens)
        requireField([...at, 'chunk_overlap'], `must be less than max_tokens, which is ${separatorRule.max_tokens}`)
    }
  }) as Schema
