import JSZip from 'jszip'
import { expect, it } from 'vitest'
import { setupPlatform, UNKNOWN_ID } from '../platform.fixture.ts'

const platform = setupPlatform()
const HTML = '<h1>Teas</h1><p>Oolong.</p>'

const request = (method: string, path: string, body?: object) =>
  fetch(`${platform.base}${path}`, {
    method,
    headers: { authorization: 'Bearer key-knowledge', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
async function addFile(dataset_id: string, name: string, content: string): Promise<string> {
  const form = new FormData()
  form.append('data', JSON.stringify({ indexing_technique: 'economy', process_rule: { mode: 'automatic' } }))
  form.append('file', new Blob([content], { type: 'text/html' }), name)
  const { body } = await platform.upload(`/datasets/${dataset_id}/document/create-by-file`, form)
  return String(body['document']?.['id'])
}
async function follow(dataset_id: string, document_id: string) {
  const reply = await request('GET', `/datasets/${dataset_id}/documents/${document_id}/download`)
  expect(reply.status).toBe(200)
  const { url } = (await reply.json()) as { url: string }
  return { url, file: await fetch(url) }
}

it('a document is saved by a signed link: the file as it was uploaded, or the text', async () => {
  const dataset = await platform.newDataset()
  const page = await addFile(dataset, 'teas.html', HTML)
  const { url, file } = await follow(dataset, page)
  expect(url).toMatch(
    /\/files\/[0-9a-f-]{36}\/file-preview\?timestamp=\d+&nonce=[0-9a-f]{32}&sign=.+&as_attachment=true$/,
  )
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''teas.html")
  expect(await file.text()).toBe(HTML)

  const { id } = await platform.addText(dataset, 'Oolong is a tea.', { name: 'Oolong', indexing_technique: 'economy' })
  const text = await follow(dataset, String(id))
  expect(text.file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Oolong.txt")
  expect(await text.file.text()).toBe('Oolong is a tea.')

  const changed = new URL(url)
  changed.searchParams.set('sign', 'A'.repeat(43))
  expect((await fetch(changed)).status).toBe(404)
  await platform.settle(dataset, page)
  await platform.send('DELETE', `/datasets/${dataset}/documents/${page}`)
  expect((await fetch(url)).status).toBe(404)
  const gone = await request('GET', `/datasets/${dataset}/documents/${page}/download`)
  expect([gone.status, await gone.json()]).toMatchObject([404, { code: 'not_found', message: 'Document not found.' }])
})

it('several are saved in an archive, under names of their own', async () => {
  const dataset = await platform.newDataset()
  const ids = [
    await addFile(dataset, 'teas.html', HTML),
    await addFile(dataset, 'teas.html', '<p>Second.</p>'),
    String((await platform.addText(dataset, 'Oolong.', { name: '../up', indexing_technique: 'economy' }))['id']),
  ]
  const path = `/datasets/${dataset}/documents/download-zip`
  const reply = await request('POST', path, { document_ids: ids })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const archive = await JSZip.loadAsync(await reply.arrayBuffer())
  const files = await Promise.all(
    Object.values(archive.files).map(async (one) => [one.name, await one.async('string')]),
  )
  expect(Object.fromEntries(files)).toEqual({
    'teas.html': HTML,
    'teas (2).html': '<p>Second.</p>',
    '.._up.txt': 'Oolong.',
  })
  for (const [document_ids, status] of [
    [[ids[0], UNKNOWN_ID], 404],
    [[], 400],
    [Array.from({ length: 101 }, () => ids[0]), 400],
  ] as const)
    expect((await request('POST', path, { document_ids })).status).toBe(status)
})
