import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listColumn, openPlatform, openPlatformDatabase, type OpenPlatform } from './platform.fixture.ts'

let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let platform: OpenPlatform
beforeAll(async () => {
  store = await openPlatformDatabase()
  platform = await openPlatform(store.database)
})
afterAll(async () => {
  await platform.close()
  await store.close()
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const integer = expect.any(Number) as number
const uuid = expect.stringMatching(UUID) as string
const unknown = '00000000-0000-4000-8000-000000000000'

describe('lists, status and deletion', () => {
  it('lists newest first, with pages, keyword and status', async () => {
    const id = await platform.newDataset()
    for (const name of ['Alpha', 'Beta', 'Alphabet']) await platform.addText(id, `text of ${name}`, { name })
    const list = (query: string) => platform.send('GET', `/datasets/${id}/documents?${query}`)
    const all = await list('')
    expect(all.body).toMatchObject({ total: 3, page: 1, limit: 20, has_more: false })
    expect(listColumn(all.body['data'], 'name')).toEqual(['Alphabet', 'Beta', 'Alpha'])
    expect(listColumn(all.body['data'], 'position')).toEqual([3, 2, 1])
    expect((await list('limit=2')).body).toMatchObject({ has_more: true })
    expect(listColumn((await list('limit=2&page=2')).body['data'], 'name')).toEqual(['Alpha'])
    expect(listColumn((await list('keyword=alpha')).body['data'], 'name')).toEqual(['Alphabet', 'Alpha'])
    expect((await list('status=queuing')).body['total']).toBe(0)
    expect((await list('status=enabled')).body['total']).toBe(3)
    expect((await list('status=whatever')).body['total']).toBe(3)
    for (const query of ['limit=0', 'limit=101', 'page=0', 'limit=ten'])
      expect([query, (await list(query)).status]).toEqual([query, 400])
  })

  it('finds only documents that are enabled and not archived', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'an armadillo rolls up')
    const states: [string, string, string[]][] = [
      ['disable', 'disabled', []],
      ['enable', 'available', ['an armadillo rolls up']],
      ['archive', 'archived', []],
      ['un_archive', 'available', ['an armadillo rolls up']],
    ]
    for (const [action, display_status, contents] of states) {
      const { status, body } = await setStatus(id, action, [document['id'], unknown])
      expect([status, body]).toEqual([200, { result: 'success' }])
      expect((await read(id, document['id'])).body).toMatchObject({ display_status })
      expect([action, await retrieveContents(id, 'armadillo')]).toEqual([action, contents])
    }
    await setStatus(id, 'disable', [document['id']])
    expect((await read(id, document['id'])).body).toMatchObject({ disabled_at: integer, disabled_by: uuid })
    const bad = await setStatus(id, 'explode', [document['id']])
    expect([bad.status, bad.body['code']]).toEqual([400, 'invalid_action'])
  })

  it('reads a document with all, only or without its metadata', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'metadata')
    const read = (query: string) => platform.send('GET', `/datasets/${id}/documents/${document['id']}${query}`)
    expect((await read('?metadata=only')).body).toEqual({ id: document['id'], doc_type: null, doc_metadata: null })
    expect((await read('?metadata=without')).body).not.toHaveProperty('doc_metadata')
    const odd = await read('?metadata=odd')
    expect([odd.status, odd.body['code']]).toEqual([400, 'invalid_metadata'])
  })

  it('deletes a document that is not archived', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'gone with the wind')
    await setStatus(id, 'archive', [document['id']])
    const remove = () => platform.send('DELETE', `/datasets/${id}/documents/${document['id']}`)
    expect((await remove()).body['code']).toBe('archived_document_immutable')
    await setStatus(id, 'un_archive', [document['id']])
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect(await retrieveContents(id, 'wind')).toEqual([])
    expect((await platform.send('GET', `/datasets/${id}`)).body).toMatchObject({ document_count: 0, word_count: 0 })
  })
})

type Id = unknown
const read = (dataset_id: string, id: Id) => platform.send('GET', `/datasets/${dataset_id}/documents/${String(id)}`)
const setStatus = (dataset_id: string, action: string, document_ids: unknown[]) =>
  platform.send('PATCH', `/datasets/${dataset_id}/documents/status/${action}`, { document_ids })

async function retrieveContents(dataset_id: string, query: string): Promise<unknown[]> {
  const { body } = await platform.send('POST', `/datasets/${dataset_id}/retrieve`, { query })
  return listColumn(body['records'], 'segment').map((segment) => (segment as { content: unknown }).content)
}
