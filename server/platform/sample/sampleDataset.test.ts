import { describe, expect, it, vi } from 'vitest'
import { setupPlatform } from '../datasets/platform.fixture.ts'

const platform = setupPlatform({ sample: true })

describe('the sample dataset', () => {
  it('is there at the first start and answers questions, in Chinese too', async () => {
    const { body } = await platform.send('GET', '/datasets')
    expect(body['total']).toBe(1)
    const handbook = body['data']?.[0]
    expect(handbook).toMatchObject({ name: 'Loupe handbook', document_count: 6 })
    await vi.waitFor(async () => {
      const { body } = await platform.send('GET', `/datasets/${handbook?.['id']}/documents?status=available`)
      expect(body['total']).toBe(6)
    })
    for (const [query, document] of [
      ['What happens to a run after a crash?', 'Runs that survive'],
      ['How do I set the master key?', 'Keys and workspaces'],
      ['What does chunk_overlap mean?', 'Chunking and process rules'],
      ['How do I rename a conversation?', 'The operations of the interface'],
      ['How do I start Loupe?', 'What Loupe is'],
      ['怎样配置模型？', '内置平台与模型设置'],
      ['没有模型时如何回答', '内置平台与模型设置'],
    ]) {
      const found = await platform.send('POST', `/datasets/${handbook?.['id']}/retrieve`, { query })
      expect([query, found.body['records']?.[0]?.['segment']?.['document']?.['name']]).toEqual([query, document])
    }
  })

  it('does not come back when it was deleted', async () => {
    const { body } = await platform.send('GET', '/datasets')
    expect((await platform.send('DELETE', `/datasets/${body['data']?.[0]?.['id']}`)).status).toBe(204)
    await platform.reopen({ sample: true })
    expect((await platform.send('GET', '/datasets')).body['total']).toBe(0)
  })
})
