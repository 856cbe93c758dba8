import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeEach, expect, it } from 'vitest'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { documentFilePath } from '#contract/console/files/documentFile.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import { TestConsole } from '../app.testing.ts'

const DATASET = randomUUID()
const DOCUMENT = randomUUID()
const BYTES = Buffer.from([0, 255, 80, 75, 3, 4, 13, 10, 128])

const testConsole = TestConsole.forFile()
beforeEach(() => {
  testConsole.platform.requests.length = 0
})

const sendFile = (response: ServerResponse, type: string, bytes: Buffer) =>
  void response.writeHead(200, { 'content-type': type }).end(bytes)
const load = (name = 'röntgen.pdf') =>
  testConsole.fetch(
    'GET',
    documentFilePath({ key: testConsole.keys.knowledge, dataset_id: DATASET, document_id: DOCUMENT, name }),
  )
const download = (body: unknown) =>
  testConsole.fetch('POST', `/api/keys/${testConsole.keys.knowledge}/datasets/${DATASET}/documents/download-zip`, body)

it('a document is saved through its signed link, which is followed without the key', async () => {
  testConsole.platform.script = ({ path }, response) => {
    if (path.endsWith('/download'))
      return sendError(response, 200, { url: `${testConsole.platform.url}/signed/file?sign=abc` })
    sendFile(response, 'text/html', BYTES)
  }
  const reply = await load()
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  expect(reply.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''r%C3%B6ntgen.pdf")
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(BYTES)
  const [link, file] = testConsole.platform.requests
  expect(link?.path).toBe(`/v1/datasets/${DATASET}/documents/${DOCUMENT}/download`)
  expect(link?.headers['authorization']).toMatch(/^Bearer /)
  expect(file?.path).toBe('/v1/signed/file?sign=abc')
  expect(file?.headers['authorization']).toBeUndefined()
})

it('a link without an origin is one of the platform; no link, or one that is refused, is said', async () => {
  testConsole.platform.script = ({ path }, response) =>
    path.endsWith('/download') ? sendError(response, 200, { url: '/files/x?sign=1' }) : sendFile(response, 'a/b', BYTES)
  expect((await load()).status).toBe(200)
  expect(testConsole.platform.requests[1]?.path).toBe('/files/x?sign=1')

  testConsole.platform.script = (_seen, response) => sendError(response, 200, { result: 'success' })
  const withoutLink = await load()
  expect(withoutLink.status).toBe(502)
  expect(await withoutLink.json()).toMatchObject({ kind: 'mismatch', message: expect.stringContaining('a link') })

  testConsole.platform.script = (_seen, response) =>
    sendError(response, 404, { code: 'not_found', message: 'Document not found.', status: 404 })
  expect(await (await load()).json()).toMatchObject({ kind: 'refused', upstream: { status: 404 } })
})

it('an archive is passed on byte for byte; the ledger has its size', async () => {
  testConsole.platform.script = (_seen, response) => sendFile(response, 'application/zip', BYTES)
  const reply = await download({ document_ids: [DOCUMENT] })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(BYTES)
  expect(JSON.parse(testConsole.platform.requests[0]?.body ?? '')).toEqual({ document_ids: [DOCUMENT] })
  const { data } = await testConsole.json<EndpointReply<typeof contract.console.listCalls>>(
    'GET',
    '/api/calls?entry=adjacent.downloadDocuments',
  )
  const call = await testConsole.json<EndpointReply<typeof contract.console.readCall>>(
    'GET',
    `/api/calls/${data[0]?.id}`,
  )
  expect(call).toMatchObject({ status: 'succeeded', reply: { bytes: BYTES.length, content_type: 'application/zip' } })
})

it('what is no archive, or holds the key, is not passed on; refusals are as ever', async () => {
  testConsole.platform.script = (_seen, response) => sendError(response, 200, { url: 'x' })
  expect(await (await download({ document_ids: [DOCUMENT] })).json()).toMatchObject({ kind: 'mismatch' })

  testConsole.platform.script = ({ headers }, response) =>
    sendFile(response, 'application/zip', Buffer.from(`PK ${String(headers.authorization).replace('Bearer ', '')} end`))
  const exposed = await download({ document_ids: [DOCUMENT] })
  expect(await exposed.json()).toMatchObject({ kind: 'mismatch', message: expect.stringContaining('contains the key') })

  testConsole.platform.script = (_seen, response) =>
    sendError(response, 404, { code: 'not_found', message: 'Document not found.', status: 404 })
  expect(await (await download({ document_ids: [DOCUMENT] })).json()).toMatchObject({ kind: 'refused' })

  const none = await download({ document_ids: [] })
  expect([none.status, await none.json()]).toMatchObject([400, { fields: [{ path: 'body.document_ids' }] }])
})
