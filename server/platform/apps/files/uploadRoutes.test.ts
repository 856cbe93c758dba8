import { expect, test } from 'vitest'
import { joinAnswer, PNG, uploadFile } from '../apps.fixture.ts'
import { uploadedFiles } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, serveModel, database } = setupApps()

const count = async () => (await database().db.select({ id: uploadedFiles.id }).from(uploadedFiles)).length

test('an uploaded document is answered from, by the user who uploaded it', async () => {
  const platform = await serve()
  const { status, body } = await uploadFile(platform, 'Notes.MD', '# Mill\n\nThe mill was built in 1902 by the miller.')
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    name: 'Notes.MD',
    size: 49,
    extension: 'md',
    mime_type: 'text/markdown',
    created_by: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
    created_at: expect.any(Number),
    preview_url: null,
    source_url: expect.stringContaining(`/files/${String(body['id'])}/file-preview?timestamp=`),
    reference: null,
    original_url: null,
    user_id: null,
    conversation_id: null,
    file_key: null,
  })
  const file = { type: 'document', transfer_method: 'local_file', upload_file_id: body['id'] }
  const question = { query: 'When was the mill built?', user: 'ada', files: [file] }
  const events = await platform.stream('chat', '/chat-messages', question)
  expect(joinAnswer(events)).toBe('The mill was built in 1902 by the miller. (Notes.MD)')
  const conversation = String(events[0]?.['conversation_id'])
  const { data } = (await platform.call('chat', 'GET', `/messages?user=ada&conversation_id=${conversation}`)).body
  expect(data).toMatchObject([
    { message_files: [{ filename: 'Notes.MD', upload_file_id: body['id'], type: 'document', belongs_to: 'user' }] },
  ])
  for (const [app, user] of [
    ['chat', 'bob'],
    ['workflow-digest', 'ada'],
  ] as const) {
    const theirs = app === 'chat' ? { ...question, user } : { inputs: { files: [file] }, user }
    const reply = await platform.call(app, 'POST', app === 'chat' ? '/chat-messages' : '/workflows/run', theirs)
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'invalid_param', message: expect.stringMatching(/upload_file_id names no file/) },
    })
  }
})

test('a remote file is recorded and never fetched', async () => {
  const platform = await serve()
  const file = { type: 'document', transfer_method: 'remote_url', url: 'http://127.0.0.1:1/a%20page.pdf?x=1' }
  const events = await platform.stream('chat', '/chat-messages', {
    query: 'What is in it?',
    user: 'ada',
    files: [file],
  })
  expect(events.at(-1)?.event).toBe('message_end')
  const path = `/messages?user=ada&conversation_id=${String(events[0]?.['conversation_id'])}`
  expect((await platform.call('chat', 'GET', path)).body['data']).toMatchObject([
    { message_files: [{ filename: 'a page.pdf', url: file.url, upload_file_id: null, size: null }] },
  ])
})

test('an image is shown to a model', async () => {
  const { endpoint, platform } = await serveModel({ pieces: ['A dot.'] })
  const { body } = await uploadFile(platform, 'dot.png', PNG)
  expect(body).toMatchObject({ mime_type: 'image/png', extension: 'png', size: PNG.length })
  const files = [{ type: 'image', transfer_method: 'local_file', upload_file_id: body['id'] }]
  expect(
    joinAnswer(await platform.stream('chat', '/chat-messages', { query: 'What is it?', user: 'ada', files })),
  ).toBe('A dot.')
  expect(JSON.stringify(endpoint.calls[0]?.body['messages'])).toContain(
    `data:image/png;base64,${PNG.toString('base64')}`,
  )
})

test.each([
  ['an empty file', 'empty.txt', '', 400, 'invalid_param'],
  ['a kind that is not read', 'a.exe', 'MZ', 415, 'unsupported_file_type'],
  ['a text that is no image', 'a.png', 'hello', 415, 'unsupported_file_type'],
  ['a PDF that says it is text', 'a.txt', '%PDF-1.7', 415, 'unsupported_file_type'],
  ['a name that is too long', `${'n'.repeat(256)}.txt`, 'text', 400, 'invalid_param'],
])('%s is refused and leaves nothing behind', async (_, name, content, status, code) => {
  const platform = await serve()
  const before = await count()
  expect(await uploadFile(platform, name, content)).toMatchObject({ status, body: { code, status } })
  expect(await count()).toBe(before)
})

test('a file over the limit is refused, and the platform goes on', async () => {
  const platform = await serve()
  const before = await count()
  expect(await uploadFile(platform, 'big.txt', Buffer.alloc(15 * 1024 * 1024 + 1, 'a'))).toMatchObject({
    status: 413,
    body: { code: 'file_too_large', message: 'The file is larger than 15 MB.' },
  })
  expect(await uploadFile(platform, 'big.png', Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)]))).toMatchObject({
    status: 413,
    body: { code: 'file_too_large', message: 'The image is larger than 10 MB.' },
  })
  expect(await count()).toBe(before)
})

test('a body without a file, with two, or that is no form, is told so', async () => {
  const platform = await serve()
  const empty = new FormData()
  empty.append('user', 'ada')
  const two = new FormData()
  for (const name of ['a.txt', 'b.txt']) two.append('file', new Blob(['text']), name)
  for (const [body, status, code] of [
    [empty, 400, 'no_file_uploaded'],
    [two, 400, 'too_many_files'],
    [{}, 415, 'unsupported_media_type'],
  ] as const)
    expect((await platform.call('chat', 'POST', '/files/upload', body)).body).toMatchObject({ code, status })
})

test.each([
  [
    { type: 'document', transfer_method: 'remote_url', url: 'file:///etc/passwd' },
    'files.0.url must be an http or https URL',
  ],
  [
    { type: 'document', transfer_method: 'local_file', upload_file_id: '../x' },
    'files.0.upload_file_id must be the id of an uploaded file',
  ],
  [{ type: 'document', transfer_method: 'pigeon' }, 'files.0.transfer_method must be one of remote_url, local_file'],
])('a wrong file object %j is named', async (file, message) => {
  const platform = await serve()
  const reply = await platform.call('chat', 'POST', '/chat-messages', { query: 'x', user: 'ada', files: [file] })
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_param', message } })
})
