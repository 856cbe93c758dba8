import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DatasetCreate, DatasetUpdate } from '#contract/datasets.ts'
import { Dataset } from '#contract/shapes.ts'
import { ownChanges } from './changes.ts'
import { emptyRetrieval, readRetrieval, speechOf, SPEECHES, writeRetrieval } from '../../ui/retrieval/retrieval.ts'
import { createOf, emptyDataset, typedOf, updateOf } from './typed.ts'

const upstream = {
  search_method: 'hybrid_search',
  reranking_enable: true,
  reranking_mode: 'weighted_score',
  reranking_model: null,
  top_k: 4,
  score_threshold_enabled: false,
  score_threshold: null,
  metadata_filtering_conditions: { logical_operator: 'and', conditions: [] },
  weights: {
    weight_type: 'customized',
    vector_setting: { vector_weight: 0.6, embedding_provider_name: 'acme', embedding_model_name: 'mini' },
    keyword_setting: { keyword_weight: 0.4 },
  },
}
const record = Dataset.parse({
  id: 'd',
  name: 'Lamps',
  description: 'All of them',
  permission: 'only_me',
  indexing_technique: 'high_quality',
  embedding_model: 'mini',
  embedding_model_provider: 'acme',
  retrieval_model_dict: upstream,
  updated_at: 1,
})

test('what a platform speaks is told by what it has answered', () => {
  expect(speechOf([])).toBeNull()
  expect(speechOf([null, { top_k: 3 }])).toBeNull()
  expect(speechOf([upstream])).toBe('upstream')
  expect(speechOf([null, { weights: 0.7 }])).toBe('interface')
  expect(speechOf([{ reranking_mode: { reranking_model_name: '' }, reranking_model: {} }])).toBe('interface')
})

test('what is read from a platform and written to it is the same, with what the form does not know', () => {
  const written = writeRetrieval(readRetrieval(upstream), {
    speech: 'upstream',
    before: upstream,
    embedding: { provider: 'acme', model: 'mini' },
  })
  expect(written).toEqual({ ...upstream })
})

test('the interface has its own two types for weights and reranking_mode', () => {
  const typed = { ...emptyRetrieval, weights: '0.3', reranking_provider_name: 'acme', reranking_model_name: 'rank' }
  expect(writeRetrieval(typed, { speech: 'interface' })).toEqual({
    weights: 0.3,
    reranking_mode: { reranking_provider_name: 'acme', reranking_model_name: 'rank' },
  })
  expect(writeRetrieval(typed, { speech: 'upstream' })).toMatchObject({
    reranking_mode: 'reranking_model',
    reranking_model: { reranking_provider_name: 'acme', reranking_model_name: 'rank' },
    weights: { vector_setting: { vector_weight: 0.3 }, keyword_setting: { keyword_weight: 0.7 } },
  })
})

test('every form that can be typed is read back as it was typed, in both shapes', () => {
  const flag = fc.constantFrom('', 'true', 'false')
  const ratio = fc.integer({ min: 0, max: 100 }).map((n) => String(n / 100))
  const typed = fc.record({
    speech: fc.constant(''),
    search_method: fc.constantFrom('hybrid_search', 'keyword_search'),
    top_k: fc.integer({ min: 1, max: 100 }).map(String),
    score_threshold_enabled: flag.filter(Boolean),
    score_threshold: ratio,
    reranking_enable: flag.filter(Boolean),
    reranking_provider_name: fc.constantFrom('', 'acme'),
    reranking_model_name: fc.constantFrom('', 'rank'),
    weights: ratio,
  })
  fc.assert(
    fc.property(typed, fc.constantFrom(...SPEECHES), (form, speech) => {
      const body = { name: 'n', retrieval_model: writeRetrieval(form, { speech }) }
      expect(readRetrieval(DatasetCreate.parse(body).retrieval_model)).toEqual(form)
    }),
  )
})

test('an empty form creates with a name alone, and external ids only go with their provider', () => {
  const typed = { ...emptyDataset, name: 'n', external_knowledge_id: 'x' }
  expect(createOf(typed, null)).toEqual({ name: 'n' })
  expect(createOf({ ...typed, provider: 'external' }, null)).toEqual({
    name: 'n',
    provider: 'external',
    external_knowledge_id: 'x',
  })
})

test('an update holds what was changed and nothing else', () => {
  const before = typedOf(record)
  const heard = { heard: 'upstream' as const, answered: upstream }
  expect(updateOf(before, before, heard)).toEqual({})
  expect(updateOf({ ...before, description: '' }, before, heard)).toEqual({ description: '' })
  const moved = { ...before, retrieval_model: { ...before.retrieval_model, top_k: '9' } }
  expect(updateOf(moved, before, heard)).toEqual({ retrieval_model: { ...upstream, top_k: 9 } })
  expect(DatasetUpdate.safeParse(updateOf(moved, before, heard)).success).toBe(true)
})

test('members go with their permission, in the words of the platform', () => {
  const before = typedOf(record)
  const shared = { ...before, permission: 'partial_members', partial_member_list: ['a', 'b'] }
  expect(updateOf(shared, before, { heard: 'interface' })).toEqual({
    permission: 'partial_members',
    partial_member_list: ['a', 'b'],
  })
  expect(updateOf(shared, before, { heard: 'upstream' })['partial_member_list']).toEqual([
    { user_id: 'a' },
    { user_id: 'b' },
  ])
  expect(updateOf({ ...shared, permission: 'only_me' }, shared, { heard: 'upstream' })).toEqual({
    permission: 'only_me',
  })
})

test('what a platform changed by itself is told, what was asked and done is not', () => {
  const sent = { indexing_technique: 'economy', partial_member_list: [{ user_id: 'a' }] }
  const after = Dataset.parse({
    ...record,
    indexing_technique: 'economy',
    embedding_model: null,
    updated_at: 2,
    partial_member_list: ['a'],
    retrieval_model_dict: { ...upstream, search_method: 'keyword_search' },
  })
  expect(ownChanges(record, sent, after)).toEqual([
    { field: 'embedding_model', before: 'mini', after: null },
    { field: 'retrieval_model.search_method', before: 'hybrid_search', after: 'keyword_search' },
  ])
  expect(ownChanges(record, { name: 'Lights' }, record)).toEqual([
    { field: 'name', before: 'Lamps', after: 'Lamps', asked: 'Lights' },
  ])
})
