import { describe, expect, it } from 'vitest'
import { createLockedPdf, createPdf } from '../indexing/files.fixture.ts'
import { createCustomRule, sendOvertaken, setupPlatform } from './platform.fixture.ts'

const platform = setupPlatform()

type Content = string | Uint8Array<ArrayBuffer>
function form(name: string, content: Content | Buffer, data?: unknown): FormData {
  const parts = new FormData()
  if (data !== undefined) parts.append('data', typeof data === 'string' ? data : JSON.stringify(data))
  parts.append('file', new File([new Uint8Array(Buffer.from(content))], name))
  return parts
}
const create = (dataset_id: string, parts: FormData) =>
  platform.upload(`/datasets/${dataset_id}/document/create-by-file`, parts)

describe('create-by-file', () => {
  it('answers 404 when the dataset is deleted meanwhile', async () => {
    const id = await platform.newDataset()
    const { status, body } = await sendOvertaken(
      platform.database,
      () =>
        create(id, form('notes.txt', 'text', { indexing_technique: 'economy', process_rule: { mode: 'automatic' } })),
      () => platform.send('DELETE', `/datasets/${id}`),
    )
    expect([status, body['code']]).toEqual([404, 'not_found'])
  })

  it.each([
    ['paper.pdf', createPdf(['Portable text']), 'Portable text'],
    [
      'table.csv',
      'city,country\nBern,Switzerland\nOslo,Norway',
      'city: Bern; country: Switzerland',
      'city: Oslo; country: Norway',
    ],
  ])('reads %s', async (name, content, ...expected) => {
    const id = await platform.newDataset()
    const { status, body } = await create(
      id,
      form(name, content, { indexing_technique: 'economy', process_rule: { mode: 'automatic' } }),
    )
    expect(status).toBe(200)
    expect(body['document']).toMatchObject({ name, indexing_status: 'waiting' })
    const document = body['document']?.['id']
    expect(await platform.settle(id, String(document))).toMatchObject({ indexing_status: 'completed', error: null })
    expect(await platform.listContents(id, document)).toEqual(expected)
  })

  it.each([
    ['a file that lies about its kind', form('a.pdf', 'text'), 415, 'unsupported_file_type'],
    ['a locked file', form('a.pdf', createLockedPdf()), 400, 'invalid_param'],
    ['data that is wrong', form('a.txt', 'x', { doc_form: 'x' }), 400, 'invalid_param'],
    ['a rule that is wrong', form('a.txt', 'x', { process_rule: { mode: 'x' } }), 400, 'invalid_param'],
  ])('refuses %s and leaves nothing behind', async (_, parts, status, code) => {
    const id = await platform.newDataset()
    const reply = await create(id, parts)
    expect([reply.status, reply.body['code'], reply.body['status']]).toEqual([status, code, status])
    expect((await platform.send('GET', `/datasets/${id}/documents`)).body['total']).toBe(0)
    const { rows } = await platform.database.pool.query(
      'SELECT 1 FROM platform.sources s WHERE NOT EXISTS (SELECT 1 FROM platform.documents d WHERE d.source_id = s.id)',
    )
    expect(rows).toEqual([])
  })

  it('takes quotes in a name, and refuses a name that is longer than a document may have', async () => {
    const id = await platform.newDataset()
    const name = 'The "new" 100%.txt'
    expect((await create(id, form(name, 'x'))).body['document']).toMatchObject({ name })
    expect((await create(id, form(`${'n'.repeat(300)}.txt`, 'x'))).body).toMatchObject({
      status: 400,
      message: 'The file name has 304 characters; at most 255 are allowed.',
    })
    expect((await create(id, form('.txt', 'x'))).body['message']).toContain('".txt" has no extension')
  })

  it('says of a text of which the rule leaves nothing why it has no segment', async () => {
    const id = await platform.newDataset()
    const process_rule = createCustomRule({}, { remove_urls_emails: true })
    const { body } = await create(id, form('a.txt', 'https://a.example/b', { process_rule }))
    expect(await platform.settle(id, String(body['document']?.['id']))).toMatchObject({
      indexing_status: 'error',
      error: expect.stringContaining('no segment') as string,
    })
  })

  it('refuses no file, and a file without a name', async () => {
    const id = await platform.newDataset()
    const none = new FormData()
    none.append('data', '{}')
    expect((await create(id, none)).body['code']).toBe('no_file_uploaded')
    const parts = (disposition: string) =>
      `--b\r\nContent-Disposition: form-data; name="file"${disposition}\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n`
    expect((await sendParts(id, parts('; filename=""'))).body).toMatchObject({ status: 400 })
  })

  it.each([
    ['a part that is cut off', '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx', 400],
    [
      'ten thousand parts',
      `${'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n'.repeat(10_000)}--b--\r\n`,
      413,
    ],
    ['a prototype', '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\ny\r\n--b--\r\n', 400],
  ])('refuses a multipart body of %s', async (_, payload, status) => {
    const id = await platform.newDataset()
    expect((await sendParts(id, payload)).status).toBe(status)
  })
})

describe('read-file', () => {
  it('reads the stored file again, tells what was lost, and refuses a document without a file', async () => {
    const id = await platform.newDataset()
    const created = await create(id, form('page.html', '<p>Seen</p><p hidden>Unseen</p>'))
    const document = created.body['document']?.['id']
    await platform.settle(id, String(document))
    await platform.database.pool.query('UPDATE platform.sources SET text = $2, losses = NULL WHERE document_id = $1', [
      document,
      'badly read',
    ])
    const path = `/datasets/${id}/documents/${document}`
    expect((await platform.send('GET', path)).body).toMatchObject({
      reading: { encoding: 'utf-8', has_file: true, losses: [] },
    })
    const { status, body } = await platform.send('POST', `${path}/read-file`)
    expect([status, body['document']?.['reading']?.['losses']]).toEqual([200, [{ kind: 'hidden_text', count: 1 }]])
    await platform.settle(id, String(document))
    expect(await platform.listContents(id, document)).toEqual(['Seen'])
    expect((await platform.send('GET', `/datasets/${id}/documents`)).body['data']?.[0]?.['reading']).toMatchObject({
      losses: [{ kind: 'hidden_text' }],
    })

    const text = await platform.addText(id, 'a text', { name: 'Note' })
    expect(await platform.send('POST', `/datasets/${id}/documents/${text['id']}/read-file`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('The file of "Note" is not stored') as string },
    })
  })
})

describe('update-by-file', () => {
  it('replaces the content of a document, and its name', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'old text', { name: 'Old' })
    const path = `/datasets/${id}/documents/${document['id']}/update-by-file`
    const { status, body } = await platform.upload(path, form('new.md', 'new text', { name: 'New' }))
    expect(status).toBe(200)
    expect(body['document']).toMatchObject({
      id: document['id'],
      name: 'New',
      data_source_detail_dict: { upload_file: { name: 'new.md', extension: 'md' } },
    })
    await platform.settle(id, String(document['id']))
    expect(await platform.listContents(id, document['id'])).toEqual(['new text'])
  })

  it('leaves the document as it was when the file is bad', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'still here')
    const reply = await platform.upload(
      `/datasets/${id}/documents/${document['id']}/update-by-file`,
      form('a.pdf', 'no'),
    )
    expect(reply.status).toBe(415)
    expect(await platform.listContents(id, document['id'])).toEqual(['still here'])
  })
})

async function sendParts(dataset_id: string, payload: string) {
  const reply = await platform.app.inject({
    method: 'POST',
    url: `/v1/datasets/${dataset_id}/document/create-by-file`,
    headers: { authorization: 'Bearer key-knowledge', 'content-type': 'multipart/form-data; boundary=b' },
    payload,
  })
  return { status: reply.statusCode, body: JSON.parse(reply.body) as Record<string, unknown> }
}
