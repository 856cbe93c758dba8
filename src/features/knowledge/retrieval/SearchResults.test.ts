import { expect, test } from 'vitest'
import { getNoHitsReason } from './SearchResults.tsx'
import { toEconomyQuery } from './retrievalModelForm.ts'

const available = { id: 'a', display_status: 'available', doc_form: 'text_model' }
const parents = { ...available, doc_form: 'hierarchical_model' }

test('a question has no result only where something could have been found', () => {
  const economy = { id: 'd', indexing_technique: 'economy' }
  const find = (
    record: Parameters<typeof getNoHitsReason>[0]['record'],
    documents: Parameters<typeof getNoHitsReason>[0]['documents'],
    total: number,
    isListed: boolean,
    isBuiltIn = false,
  ) => getNoHitsReason({ record, documents, total, isListed, isBuiltIn })
  const quality = { id: 'd', indexing_technique: 'high_quality' }
  expect(find(quality, [], 0, true)).toBe('noDocuments')
  expect(find(quality, [{ ...available, display_status: 'indexing' }], 1, true)).toBe('noneAvailable')
  expect(find(quality, [{ ...available, display_status: 'indexing' }], 200, true)).toBe('other')
  expect(find(quality, [available], 1, true)).toBe('other')
  expect(find(quality, [], 0, false)).toBe('other')
  expect(find(null, [available], 1, true)).toBe('techniqueUnknown')
  expect(find(economy, [available, parents], 2, true)).toBe('economy')
  expect(find(economy, [parents], 1, true)).toBe('economyHierarchical')
  expect(find({ ...economy, doc_form: 'hierarchical_model' }, [], 0, false)).toBe('economyHierarchical')
  expect(find(economy, [parents], 1, true, true)).toBe('other')
  expect(find(null, [available], 1, true, true)).toBe('other')
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
