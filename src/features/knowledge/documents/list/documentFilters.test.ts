import { expect, test } from 'vitest'
import { filterDocuments, hasDocumentFilters, parseDocumentFilters } from './documentFilters.ts'

test('documents that lost something while they were read are listed alone', () => {
  const filters = parseDocumentFilters({ metadata: undefined, drafts: undefined, unretrieved: undefined, losses: '1' })
  const documents = [
    { id: 'a', reading: { losses: [{ kind: 'picture', count: 1 }] } },
    { id: 'b', reading: { losses: [] } },
    { id: 'c', reading: null },
    { id: 'd' },
  ]
  const found = filterDocuments(documents, filters, { draftDocuments: new Set(), retrievedDocuments: null })
  expect([hasDocumentFilters(filters), found.map(({ id }) => id)]).toEqual([true, ['a']])
})
