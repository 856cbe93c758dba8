import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DatasetCreate, DatasetUpdate } from '#contract/platform/datasets.ts'
import { Dataset } from '#contract/platform/schemas.ts'
import { listPlatformChanges, toCreateBody, emptyDatasetForm, toDatasetForm, toUpdateBody } from './datasetForm.ts'
import {
  emptyRetrievalForm,
  toRetrievalForm,
  RETRIEVAL_DIALECTS,
  toRetrievalBody,
} from '../retrieval/retrievalModelForm.ts'

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

test('what is read from a platform and written to it is the same, with what the form does not know', () => {
  const written = toRetrievalBody(toRetrievalForm(upstream), {
    dialect: 'upstream',
    previous: upstream,
    embedding: { provider: 'acme', model: 'mini' },
  })
  expect(written).toEqual({ ...upstream })
})

test('the interface has its own two types for weights and reranking_mode', () => {
  const typed = { ...emptyRetrievalForm, weights: '0.3', reranking_provider_name: 'acme', reranking_model_name: 'rank' }
  expect(toRetrievalBody(typed, { dialect: 'interface' })).toEqual({
    weights: 0.3,
    reranking_mode: { reranking_provider_name: 'acme', reranking_model_name: 'rank' },
  })
  expect(toRetrievalBody(typed, { dialect: 'upstream' })).toMatchObject({
    reranking_mode: 'reranking_model',
    reranking_model: { reranking_provider_name: 'acme', reranking_model_name: 'rank' },
    weights: { vector_setting: { vector_weight: 0.3 }, keyword_setting: { keyword_weight: 0.7 } },
  })
})

test('every form that can be typed is read back as it was typed, in both shapes', () => {
  const flag = fc.constantFrom('', 'true', 'false')
  const ratio = fc.integer({ min: 0, max: 100 }).map((n) => String(n / 100))
  const typed = fc.record({
    dialect: fc.constant(''),
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
    fc.property(typed, fc.constantFrom(...RETRIEVAL_DIALECTS), (form, speech) => {
      const body = { name: 'n', retrieval_model: toRetrievalBody(form, { dialect: speech }) }
      expect(toRetrievalForm(DatasetCreate.parse(body).retrieval_model)).toEqual(form)
    }),
  )
})

test('an update holds what was changed and nothing else', () => {
  const before = toDatasetForm(record)
  const heard = { dialect: 'upstream' as const, lastRetrieval: upstream }
  expect(toUpdateBody(before, before, heard)).toEqual({})
  expect(toUpdateBody({ ...before, description: '' }, before, heard)).toEqual({ description: '' })
  const moved = { ...before, retrieval_model: { ...before.retrieval_model, top_k: '9' } }
  expect(toUpdateBody(moved, before, heard)).toEqual({ retrieval_model: { ...upstream, top_k: 9 } })
  expect(DatasetUpdate.safeParse(toUpdateBody(moved, before, heard)).success).toBe(true)
})

test('members go with their permission, in the words of the platform', () => {
  const before = toDatasetForm(record)
  const shared = { ...before, permission: 'partial_members', partial_member_list: ['a', 'b'] }
  expect(toUpdateBody(shared, before, { dialect: 'interface' })).toEqual({
    permission: 'partial_members',
    partial_member_list: ['a', 'b'],
  })
  expect(toUpdateBody(shared, before, { dialect: 'upstream' })['partial_member_list']).toEqual([
    { user_id: 'a' },
    { user_id: 'b' },
  ])
  expect(toUpdateBody({ ...shared, permission: 'only_me' }, shared, { dialect: 'upstream' })).toEqual({
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
  expect(listPlatformChanges(record, sent, after)).toEqual([
    { field: 'embedding_model', before: 'mini', after: null },
    { field: 'retrieval_model.search_method', before: 'hybrid_search', after: 'keyword_search' },
  ])
  expect(listPlatformChanges(record, { name: 'Lights' }, record)).toEqual([
    { field: 'name', before: 'Lamps', after: 'Lamps', requested: 'Lights' },
  ])
})

test('an economy dataset stores keyword_search with everything that is created or changed in it', () => {
  const economy = { ...emptyDatasetForm, name: 'n', indexing_technique: 'economy' }
  const keyword = { search_method: 'keyword_search', top_k: 4, score_threshold_enabled: false, reranking_enable: false }
  expect(toCreateBody(economy, null)).toEqual({ name: 'n', indexing_technique: 'economy', retrieval_model: keyword })
  const hybrid = { ...economy, retrieval_model: { ...emptyRetrievalForm, search_method: 'hybrid_search', top_k: '7' } }
  expect(toCreateBody(hybrid, null)).toMatchObject({ retrieval_model: { ...keyword, top_k: 7 } })

  const before = { ...economy, retrieval_model: { ...emptyRetrievalForm, ...toRetrievalForm(keyword) } }
  expect(toUpdateBody(before, before, { dialect: 'interface' })).toEqual({})
  expect(toUpdateBody({ ...before, name: 'm' }, before, { dialect: 'interface' })).toEqual({
    name: 'm',
    retrieval_model: keyword,
  })
})
