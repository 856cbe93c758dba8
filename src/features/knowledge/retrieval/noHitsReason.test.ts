import { expect, test } from 'vitest'
import { getNoHitsReason } from './noHitsReason.ts'
import { toEconomyQuery } from './retrievalModelForm.ts'

const available = { id: 'a', display_status: 'available', doc_form: 'text_model' }
const parents = { ...available, doc_form: 'hierarchical_model' }

test('a question has no result only where something could have been found', () => {
  const economy = { id: 'd', indexing_technique: 'economy' }
  const quality = { id: 'd', indexing_technique: 'high_quality' }
  expect(getNoHitsReason(quality, [], 0, true)).toBe('noDocuments')
  expect(getNoHitsReason(quality, [{ ...available, display_status: 'indexing' }], 1, true)).toBe('noneAvailable')
  expect(getNoHitsReason(quality, [{ ...available, display_status: 'indexing' }], 200, true)).toBe('other')
  expect(getNoHitsReason(quality, [available], 1, true)).toBe('other')
  expect(getNoHitsReason(quality, [], 0, false)).toBe('other')
  expect(getNoHitsReason(null, [available], 1, true)).toBe('techniqueUnknown')
  expect(getNoHitsReason(economy, [available, parents], 2, true)).toBe('economy')
  expect(getNoHitsReason(economy, [parents], 1, true)).toBe('economyHierarchical')
  expect(getNoHitsReason({ ...economy, doc_form: 'hierarchical_model' }, [], 0, false)).toBe('economyHierarchical')
})

test('a query to an economy dataset repeats what is stored and searches by keyword', () => {
  expect(toEconomyQuery({ search_method: 'semantic_search', top_k: 9 })).toEqual({
    search_method: 'keyword_search',
    reranking_enable: false,
    top_k: 9,
    score_threshold_enabled: false,
  })
  expect(toEconomyQuery(null).top_k).toBe(4)
})
