import { expect, it } from 'vitest'
import { adaptRequestBody, DialectDetector } from './dialect.ts'

const INTERFACE = {
  search_method: 'hybrid_search',
  top_k: 4,
  reranking_mode: { reranking_provider_name: 'acme', reranking_model_name: 'rank' },
  weights: 0.6,
}
const UPSTREAM = {
  search_method: 'hybrid_search',
  top_k: 4,
  reranking_enable: false,
  score_threshold_enabled: false,
  reranking_mode: 'reranking_model',
  reranking_model: { reranking_provider_name: 'acme', reranking_model_name: 'rank' },
  weights: {
    weight_type: 'customized',
    vector_setting: { vector_weight: 0.6, embedding_provider_name: 'p', embedding_model_name: 'm' },
    keyword_setting: { keyword_weight: 0.4 },
  },
}
const model = { embedding_model: 'm', embedding_model_provider: 'p' }

it('writes a retrieval model as the platform takes it, in whichever shape it came', () => {
  const sent = (retrieval_model: unknown, retrieval: 'interface' | 'upstream') =>
    (adaptRequestBody('datasets.update', { ...model, retrieval_model }, { retrieval }) as { retrieval_model: unknown })
      .retrieval_model
  expect(sent(INTERFACE, 'upstream')).toEqual(UPSTREAM)
  expect(sent(UPSTREAM, 'upstream')).toEqual(UPSTREAM)
  expect(sent(UPSTREAM, 'interface')).toEqual({ ...INTERFACE, reranking_enable: false, score_threshold_enabled: false })
  expect(sent(INTERFACE, 'interface')).toEqual(INTERFACE)
  expect(sent({ ...UPSTREAM, reranking_mode: null }, 'upstream')).toEqual({ ...UPSTREAM, reranking_mode: null })
  expect(sent({ weights: 1 }, 'upstream')).toMatchObject({ reranking_mode: 'weighted_score' })
  expect(adaptRequestBody('datasets.update', { retrieval_model: INTERFACE })).toEqual({ retrieval_model: INTERFACE })
})

it('writes members, the settings of annotation reply and a first turn as the platform takes them', () => {
  const members = (partial_member_list: unknown, kind: 'ids' | 'objects') =>
    adaptRequestBody('datasets.update', { partial_member_list }, { members: kind })
  expect(members(['a', { user_id: 'b' }], 'objects')).toEqual({
    partial_member_list: [{ user_id: 'a' }, { user_id: 'b' }],
  })
  expect(members(['a', { user_id: 'b' }], 'ids')).toEqual({ partial_member_list: ['a', 'b'] })
  const reply = { score_threshold: 0.9, embedding_model_name: null }
  expect(adaptRequestBody('annotations.reply', reply, { embedding: 'required' })).toEqual({
    score_threshold: 0.9,
    embedding_model_name: '',
    embedding_provider_name: '',
  })
  expect(adaptRequestBody('annotations.reply', reply, { embedding: 'optional' })).toEqual(reply)
  expect(adaptRequestBody('chat.send', { query: 'q', conversation_id: '' })).toEqual({ query: 'q' })
})

it('hears each thing once', async () => {
  const heard: unknown[] = []
  const hearing = new DialectDetector({ recordDialect: async (id, found) => void heard.push([id, found]) })
  const at = { workspace_id: 'w' }
  hearing.detect(at, null, { data: [] })
  hearing.detect(at, '1.12.0', {
    data: [{ retrieval_model_dict: { weights: null } }, { retrieval_model_dict: UPSTREAM }],
  })
  hearing.detect(at, '1.12.0', { retrieval_model_dict: UPSTREAM })
  hearing.detect(at, '1.13.0', { retrieval_model_dict: INTERFACE })
  expect(heard).toEqual([
    ['w', { version: '1.12.0' }],
    ['w', { retrieval: 'upstream' }],
    ['w', { version: '1.13.0' }],
    ['w', { retrieval: 'interface' }],
  ])
})
