import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentCreate, DocumentUpdate } from '#contract/platform/documents.ts'
import { emptyRetrievalForm } from '../../retrieval/retrievalModelForm.ts'
import {
  withRequiredDocumentFields,
  toCreateTextBody,
  emptyDocumentForm,
  toProcessRuleBody,
  toFileSettings,
  toTextUpdateBody,
  toProcessRuleForm,
} from './documentForm.ts'

const cut = fc.record({
  separator: fc.constantFrom('\\n\\n', '.*', '---', '\\t'),
  max_tokens: fc.integer({ min: 2, max: 4000 }).map(String),
  chunk_overlap: fc.constantFrom('0', '1'),
})
const rule = fc.record({
  mode: fc.constant('hierarchical'),
  rules: fc.record({
    segmentation: cut,
    parent_mode: fc.constantFrom('paragraph', 'full-doc'),
    subchunk_segmentation: cut,
  }),
  remove_extra_spaces: fc.boolean(),
  remove_urls_emails: fc.boolean(),
})

test('a rule that is sent and taken over from the lab is the one that was typed', () => {
  fc.assert(
    fc.property(rule, (typed) => {
      expect(toProcessRuleForm(toProcessRuleBody(typed), emptyDocumentForm.process_rule)).toEqual(typed)
    }),
  )
})

test('a separator of regex characters is sent as the characters that it is', () => {
  const process_rule = { ...emptyDocumentForm.process_rule, mode: 'custom' }
  process_rule.rules = {
    ...process_rule.rules,
    segmentation: { separator: '.*\\n', max_tokens: '9', chunk_overlap: '0' },
  }
  expect(toFileSettings({ ...emptyDocumentForm, process_rule }, null)).toMatchObject({
    process_rule: { rules: { segmentation: { separator: '.*\n', max_tokens: 9, chunk_overlap: 0 } } },
  })
})

test('an update says the form of the document and leaves out the rule that it leaves alone', () => {
  const typed = {
    ...emptyDocumentForm,
    name: 'n',
    text: 't',
    process_rule: { ...emptyDocumentForm.process_rule, mode: '' },
  }
  expect(toTextUpdateBody({ ...typed, doc_form: 'qa_model' })).toEqual({ name: 'n', text: 't', doc_form: 'qa_model' })
  expect(DocumentUpdate.safeParse(toTextUpdateBody(typed)).success).toBe(true)
})

test('what every platform refuses is said at its field', () => {
  const segmentation = { separator: '', max_tokens: '10', chunk_overlap: '10' }
  const body = toCreateTextBody(
    {
      ...emptyDocumentForm,
      name: 'n',
      text: ' \n ',
      process_rule: {
        ...emptyDocumentForm.process_rule,
        mode: 'custom',
        rules: { ...emptyDocumentForm.process_rule.rules, segmentation },
      },
    },
    null,
  )
  const { error } = withRequiredDocumentFields(DocumentCreate).safeParse(body)
  expect(error?.issues.map(({ path, message }) => [path.at(-1), message])).toEqual([
    ['text', 'must not be blank'],
    ['separator', 'must not be empty'],
    ['chunk_overlap', 'must be less than max_tokens, which is 10'],
  ])
})

test('retrieval and embedding are sent only where something is set, in the shape that the platform speaks', () => {
  const typed = { ...emptyDocumentForm, name: 'n', text: 't' }
  expect(Object.keys(toCreateTextBody(typed, 'upstream'))).not.toContain('retrieval_model')
  const set = {
    ...typed,
    embedding_model: 'embed-3',
    embedding_model_provider: 'acme',
    retrieval_model: { ...emptyRetrievalForm, search_method: 'hybrid_search', top_k: '7', weights: '0.25' },
  }
  expect(toCreateTextBody(set, 'interface')).toMatchObject({
    embedding_model: 'embed-3',
    embedding_model_provider: 'acme',
    retrieval_model: { search_method: 'hybrid_search', top_k: 7, weights: 0.25 },
  })
  expect(toCreateTextBody(set, 'upstream')).toMatchObject({
    retrieval_model: { weights: { vector_setting: { vector_weight: 0.25, embedding_model_name: 'embed-3' } } },
  })
  for (const heard of ['interface', 'upstream'] as const)
    expect(DocumentCreate.safeParse(toCreateTextBody(set, heard)).success).toBe(true)
})
