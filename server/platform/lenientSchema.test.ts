import { describe, expect, it } from 'vitest'
import { ChatRequest, ConversationRename } from '#contract/platform/chat.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { DatasetCreate, DatasetUpdate } from '#contract/platform/datasets.ts'
import { toLenientSchema } from './lenientSchema.ts'

describe('loosen', () => {
  it('drops fields that the platform does not know, at every depth', () => {
    const given = { name: 'A', surprise: 1, retrieval_model: { search_method: 'keyword_search' } }
    expect(toLenientSchema(DatasetCreate).parse(given)).toEqual({
      name: 'A',
      retrieval_model: { search_method: 'keyword_search' },
    })
    const members = { partial_member_list: [{ user_id: 'u', role: 'owner' }, 'v'] }
    expect(toLenientSchema(DatasetUpdate).parse(members)).toEqual({ partial_member_list: [{ user_id: 'u' }, 'v'] })
  })

  it('takes null for absent, and fills defaults in both cases', () => {
    expect(toLenientSchema(DatasetCreate).parse({ name: 'A', description: null, permission: null })).toEqual({
      name: 'A',
    })
    const chat = toLenientSchema(ChatRequest)
    const filled = { query: 'q', user: 'u', inputs: {}, response_mode: 'streaming' }
    expect(chat.parse({ query: 'q', user: 'u' })).toEqual(filled)
    expect(chat.parse({ query: 'q', user: 'u', inputs: null, response_mode: null, files: null })).toEqual(filled)
    expect(toLenientSchema(documentEndpoints.list.query).parse({})).toEqual({ page: 1, limit: 20 })
  })

  it('keeps what the contract demands', () => {
    expect(toLenientSchema(DatasetCreate).safeParse({}).success).toBe(false)
    expect(toLenientSchema(DatasetCreate).safeParse({ name: 'x'.repeat(41) }).success).toBe(false)
    expect(toLenientSchema(documentEndpoints.list.query).safeParse({ limit: '101' }).success).toBe(false)
    expect(toLenientSchema(ConversationRename).safeParse({ user: 'u', extra: 1 }).success).toBe(false)
    expect(toLenientSchema(ConversationRename).safeParse({ user: 'u', name: 'n', extra: 1 }).success).toBe(true)
  })
})
