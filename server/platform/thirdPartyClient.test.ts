import type { AddressInfo } from 'node:net'
import { DifyClient } from 'dify-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlatform, openPlatformDatabase, type TestBody, type OpenPlatform } from './datasets/platform.fixture.ts'

/**
 * The knowledge calls of upstream's own client for Node, unchanged. Version 2.3.2 has no class for them: they go through
 * its `sendRequest`, which sets its headers and bodies. Its calls of applications are in apps/client.test.ts.
 */
interface Client {
  sendRequest: (
    method: string,
    endpoint: string,
    data?: object | null,
    params?: object | null,
    stream?: boolean,
    headers?: object,
  ) => Promise<{ status: number; data: TestBody }>
}

let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let platform: OpenPlatform
let client: Client
beforeAll(async () => {
  store = await openPlatformDatabase()
  platform = await openPlatform(store.database)
  await platform.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = platform.app.server.address() as AddressInfo
  client = new DifyClient('key-knowledge', `http://127.0.0.1:${port}/v1`) as unknown as Client
})
afterAll(async () => {
  await platform.close()
  await store.close()
})

const rules = {
  mode: 'hierarchical',
  rules: {
    pre_processing_rules: [{ id: 'remove_extra_spaces', enabled: true }],
    segmentation: { separator: '\n\n', max_tokens: 100 },
    parent_mode: 'paragraph',
    subchunk_segmentation: { separator: '\n', max_tokens: 50, chunk_overlap: 0 },
  },
}

test('its knowledge calls: a dataset, documents from text and file, segments, child chunks, a question, the end', async () => {
  const { data: dataset } = await client.sendRequest('POST', '/datasets', { name: 'Teas', permission: 'only_me' })
  const path = `/datasets/${String(dataset['id'])}`
  expect((await client.sendRequest('PATCH', path, { description: 'All teas.' })).data).toMatchObject({
    description: 'All teas.',
  })
  const { data: receipt } = await client.sendRequest('POST', `${path}/document/create-by-text`, {
    name: 'Green',
    text: 'Green tea is steeped\nat 80 degrees.',
    indexing_technique: 'economy',
    doc_form: 'hierarchical_model',
    process_rule: rules,
  })
  const document = `${path}/documents/${String(receipt['document']?.['id'])}`
  await platform.settle(String(dataset['id']), String(receipt['document']?.['id']))
  const { data: list } = await client.sendRequest('GET', `${path}/documents`, null, { keyword: 'Gre', limit: 5 })
  expect(list).toMatchObject({ total: 1, limit: 5, data: [{ name: 'Green', indexing_status: 'completed' }] })

  const { data: segments } = await client.sendRequest('GET', `${document}/segments`)
  const segment = `${document}/segments/${String(segments['data']?.[0]?.['id'])}`
  expect((await client.sendRequest('GET', segment)).data).toMatchObject({ doc_form: 'hierarchical_model' })
  const { data: child } = await client.sendRequest('POST', `${segment}/child_chunks`, { content: 'For two minutes.' })
  const chunk = `${segment}/child_chunks/${String(child['data']?.['id'])}`
  await client.sendRequest('PATCH', chunk, { content: 'For three minutes.' })
  const { data: children } = await client.sendRequest('GET', `${segment}/child_chunks`, null, { keyword: 'three' })
  expect(children).toMatchObject({ total: 1, data: [{ content: 'For three minutes.' }] })
  const { data: found } = await client.sendRequest('POST', `${path}/retrieve`, { query: 'three minutes' })
  expect(found['records']?.[0]?.['segment']?.['content']).toBe('Green tea is steeped\nat 80 degrees.')

  const form = new FormData()
  form.append('data', JSON.stringify({ name: 'From a file', process_rule: rules }))
  form.append('file', new Blob(['White tea.']), 'white.md')
  const multipart = { 'Content-Type': 'multipart/form-data' }
  const updated = await client.sendRequest('POST', `${document}/update-by-file`, form, null, false, multipart)
  expect(updated.data).toMatchObject({ document: { name: 'From a file' }, batch: expect.any(String) as string })
  const text = await client.sendRequest('POST', `${document}/update-by-text`, { name: 'Black', text: 'Black tea.' })
  expect(text.data).toMatchObject({ document: { name: 'Black' } })
  await platform.settle(String(dataset['id']), String(receipt['document']?.['id']))
  expect((await client.sendRequest('DELETE', document)).status).toBe(204)
  expect((await client.sendRequest('DELETE', path)).status).toBe(204)
})

test('a refusal reaches it as the platform’s error', async () => {
  const outcome = client.sendRequest('POST', '/datasets', { name: '' })
  await expect(outcome).rejects.toMatchObject({
    response: { status: 400, data: { code: 'invalid_param', status: 400 } },
  })
})
