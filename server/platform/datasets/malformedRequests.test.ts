import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { type Endpoint, fillPath, isForm } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { listColumn, openPlatform, openPlatformDatabase, type OpenPlatform } from './platform.fixture.ts'

/** Requests for each operation. */
const REQUESTS_PER_OPERATION = 100

let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let platform: OpenPlatform
let ids: Record<string, string>
beforeAll(async () => {
  store = await openPlatformDatabase()
  platform = await openPlatform(store.database)
  const dataset_id = await platform.newDataset()
  const document = await platform.addText(dataset_id, 'parent line\nchild line', { doc_form: 'hierarchical_model' })
  const document_id = String(document['id'])
  const segments = await platform.send('GET', `/datasets/${dataset_id}/documents/${document_id}/segments`)
  const segment_id = String(listColumn(segments.body['data'], 'id')[0])
  const path = `/datasets/${dataset_id}/documents/${document_id}/segments/${segment_id}/child_chunks`
  const child_chunk_id = String(listColumn((await platform.send('GET', path)).body['data'], 'id')[0])
  ids = { dataset_id, document_id, segment_id, child_chunk_id }
})
afterAll(async () => {
  await platform.close()
  await store.close()
})

const operations: [string, Endpoint][] = Object.entries({
  ...contract.datasets,
  ...contract.documents,
  ...contract.segments,
  ...optionalEndpoints,
}).filter(([, entry]) => entry.key === 'knowledge') as [string, Endpoint][]

const anything = fc.oneof(
  fc.jsonValue({ depthSize: 'small' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '..',
    '%',
    'x'.repeat(300),
    -1,
    0,
    1e308,
    2 ** 31,
    2 ** 53,
    true,
    null,
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** Bodies with the fields that the operation knows, each right in name and likely wrong in value. */
const bodies = (entry: Endpoint): fc.Arbitrary<unknown> => {
  const schema = isForm(entry.body) ? entry.body.data : entry.body
  const shape = (schema as { def?: { shape?: object } } | undefined)?.def?.shape ?? {}
  const fields = Object.fromEntries(Object.keys(shape).map((name) => [name, field(name)]))
  return fc.oneof({ weight: 4, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: anything })
}
const field = (name: string): fc.Arbitrary<unknown> => {
  const right = VALID_VALUES[name]
  return right === undefined ? anything : fc.oneof(fc.constant(right), anything)
}
const VALID_VALUES: Record<string, unknown> = {
  name: 'name',
  text: 'text to index',
  content: 'content',
  query: 'child',
  document_ids: ['00000000-0000-4000-8000-000000000000'],
  process_rule: {
    mode: 'custom',
    rules: { pre_processing_rules: [], segmentation: { separator: '\\', max_tokens: 3 } },
  },
  segments: [{ content: 'new', answer: '\u0000', keywords: ['\ud800'] }],
  segment: { content: 'changed', enabled: true },
}

const queries = fc.dictionary(
  fc.constantFrom('page', 'limit', 'keyword', 'status', 'metadata', 'other'),
  fc.string({ maxLength: 12 }),
)
const paths = fc.constantFrom('right', 'right', 'right', 'unknown', 'nonsense')

describe('malformed requests', () => {
  it.each(operations)('of %s are refused in the platform’s error shape, and never a fault', async (_, entry) => {
    // The dataset and document that the others need stay.
    const spared = entry.method === 'DELETE' ? 'unknown' : undefined
    await fc.assert(
      fc.asyncProperty(bodies(entry), queries, paths, async (body, query, path) => {
        const url = fillPath(entry.path, toParams(entry, spared ?? path))
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, value]),
        )
        const reply = await platform.app.inject({
          method: entry.method,
          url: `/v1${url}?${search.toString()}`,
          headers: { authorization: 'Bearer key-knowledge', ...(entry.body ? toHeaders(entry) : {}) },
          ...(entry.body ? { payload: toPayload(entry, body) } : {}),
        })
        if (reply.statusCode < 300) return
        expect([url, reply.statusCode < 500, reply.body]).toEqual([url, true, reply.body])
        expect(JSON.parse(reply.body)).toEqual({
          code: expect.stringMatching(/^[a-z_]+$/) as string,
          message: expect.any(String) as string,
          status: reply.statusCode,
        })
      }),
      { numRuns: REQUESTS_PER_OPERATION },
    )
  })

  it('leave the platform as able as before', async () => {
    const id = await platform.newDataset()
    expect(await platform.addText(id, 'still indexing')).toMatchObject({ indexing_status: 'completed' })
  })
})

const toHeaders = (entry: Endpoint) => ({
  'content-type': isForm(entry.body) ? 'multipart/form-data; boundary=b' : 'application/json',
})

function toPayload(entry: Endpoint, body: unknown): string {
  const text = JSON.stringify(body) ?? ''
  if (!isForm(entry.body)) return text
  const part = (disposition: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
  return `${part('name="data"', text)}${part('name="file"; filename="a.md"', 'text')}--b--\r\n`
}

function toParams(entry: Endpoint, path: string): Record<string, string> {
  const names = [...entry.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const last = names.at(-1)
  return Object.fromEntries(
    names.map((name) => {
      if (name === last && path === 'unknown') return [name, '00000000-0000-4000-8000-000000000000']
      if (name === last && path === 'nonsense') return [name, "a'b%00 ../"]
      return [name, ids[name] ?? 'enable']
    }),
  )
}
