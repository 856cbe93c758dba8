import { describe, expect, it } from 'vitest'
import { anyInteger, anyUuid, listColumn, setupPlatform, UNKNOWN_ID } from './platform.fixture.ts'

const platform = setupPlatform()

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
    await platform.addText(id, 'text', { name: 'U\u0308bersicht Straße' })
    for (const keyword of ['übersicht', 'UBERSICHT', 'strasse'])
      expect((await list(`keyword=${encodeURIComponent(keyword)}`)).body['total']).toBe(1)
    expect((await list('keyword=nowhere')).body['total']).toBe(0)
    expect((await list('status=queuing')).body['total']).toBe(0)
    expect((await list('status=enabled')).body['total']).toBe(4)
    expect((await list('status=whatever')).body['total']).toBe(4)
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
      const { status, body } = await platform.setStatus(id, action, [document['id'], UNKNOWN_ID])
      expect([status, body]).toEqual([200, { result: 'success' }])
      expect(await platform.readDocument(id, document['id'])).toMatchObject({ display_status })
      expect([action, await platform.retrieveContents(id, 'armadillo')]).toEqual([action, contents])
    }
    await platform.setStatus(id, 'disable', [document['id']])
    expect(await platform.readDocument(id, document['id'])).toMatchObject({
      disabled_at: anyInteger,
      disabled_by: anyUuid,
    })
    const bad = await platform.setStatus(id, 'explode', [document['id']])
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
    await platform.setStatus(id, 'archive', [document['id']])
    const remove = () => platform.send('DELETE', `/datasets/${id}/documents/${document['id']}`)
    expect((await remove()).body['code']).toBe('archived_document_immutable')
    await platform.setStatus(id, 'un_archive', [document['id']])
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect(await platform.retrieveContents(id, 'wind')).toEqual([])
    expect((await platform.send('GET', `/datasets/${id}`)).body).toMatchObject({ document_count: 0, word_count: 0 })
  })
})
