import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { describePath, isForm, getPathParamNames, type Endpoint } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { createCustomRule, listColumn, setupPlatform, UNKNOWN_ID } from './datasets/platform.fixture.ts'

/** Forty requests for each operation, sent in batches of ten; `PROPERTY_RUNS` raises their number. */
const BATCH_COUNT = Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 25)
const REQUESTS_PER_BATCH = 10

const { console: _, ...platformEntries } = contract
const operations = Object.entries(platformEntries).flatMap(([noun, entries]) =>
  Object.entries(entries).map(([verb, entry]): [string, Endpoint] => [`${noun}.${verb}`, entry]),
)

const getKeyKind = ({ key, path }: Endpoint): string => {
  if (key !== 'app') return key
  return path.startsWith('/workflows') ? 'workflow' : 'chat'
}

const platform = setupPlatform()
/** Things that are there, so that a request gets as far as its handler. */
let ids: Record<string, string>
beforeAll(async () => {
  const post = (key: string, path: string, body: Record<string, unknown>) =>
    platform.send('POST', path, body, { authorization: `Bearer key-${key}` })
  const dataset_id = await platform.newDataset()
  const document = await platform.addText(dataset_id, 'parent line\nchild line', { doc_form: 'hierarchical_model' })
  const document_id = String(document['id'])
  const segments = `/datasets/${dataset_id}/documents/${document_id}/segments`
  const segment_id = String(listColumn((await platform.send('GET', segments)).body['data'], 'id')[0])
  const children = await platform.send('GET', `${segments}/${segment_id}/child_chunks`)
  const asked = { query: 'child', user: 'user', response_mode: 'blocking' }
  const { body: answer } = await post('chat', '/chat-messages', asked)
  const { body: run } = await post('workflow', '/workflows/run', { ...asked, inputs: { query: 'child' } })
  const { body: annotation } = await post('chat', '/apps/annotations', { question: 'q', answer: 'a' })
  const { body: job } = await post('chat', '/apps/annotation-reply/enable', { score_threshold: 1 })
  ids = {
    dataset_id,
    document_id,
    segment_id,
    child_chunk_id: String(listColumn(children.body['data'], 'id')[0]),
    conversation_id: String(answer['conversation_id']),
    message_id: String(answer['message_id']),
    task_id: String(answer['task_id']),
    workflow_run_id: String(run['workflow_run_id']),
    annotation_id: String(annotation['id']),
    job_id: String(job['job_id']),
    batch: String(document['batch'] ?? 'batch'),
    action: 'enable',
    model_type: 'llm',
  }
})

const strangeValue = fc.oneof(
  fc.jsonValue({ depthSize: 'small' }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom<unknown[]>('', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud83d', '\u202e', '..', '%00', '{{x}}', "'; --"),
  fc.constantFrom<unknown[]>(null, true, 0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, [], {}, [null], [[[[]]]], 'NaN', '1e999'),
  fc.constantFrom<unknown[]>(
    'x'.repeat(3000),
    Array.from({ length: 300 }, () => 'x'),
    { constructor: { prototype: 1 } },
  ),
)

/** Values that are right, so that a wrong one beside them is reached. */
const VALID_VALUES: Record<string, unknown> = {
  name: 'name',
  text: 'text to index',
  content: 'content',
  query: 'child',
  user: 'user',
  inputs: { query: 'child' },
  response_mode: 'blocking',
  document_ids: [UNKNOWN_ID],
  segments: [{ content: 'new', keywords: ['\ud800'] }],
  segment: { content: 'changed', enabled: true },
  question: 'question',
  answer: 'answer',
  rating: 'like',
  score_threshold: 1,
  files: [{ type: 'document', transfer_method: 'remote_url', url: 'https://example.org/a.pdf' }],
  process_rule: createCustomRule({ separator: '\\', max_tokens: 3 }),
}

/** The fields that the operation knows, each right, strange, half right or not there. */
function toFields(entry: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const schema = isForm(entry.body) ? entry.body.data : entry.body
  const shape = (schema as { def?: { shape?: object } } | undefined)?.def?.shape ?? {}
  const fields = Object.keys(shape).map((name): [string, fc.Arbitrary<unknown>] => {
    const right = VALID_VALUES[name]
    if (right === undefined) return [name, strangeValue]
    const inside = fc.tuple(strangeValue, fc.nat()).map(([value, place]) => spoilValue(right, value, place))
    return [name, fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, strangeValue, inside)]
  })
  return fc.record(Object.fromEntries([...fields, ['extra', strangeValue]]), { requiredKeys: [] })
}

/** A value of an object or a list, replaced. */
function spoilValue(right: unknown, value: unknown, place: number): unknown {
  if (typeof right !== 'object' || right === null) return value
  const names = Object.keys(right)
  const name = names[place % names.length] ?? '0'
  const held = (right as Record<string, unknown>)[name]
  const spoiled = place % 3 === 0 ? spoilValue(held, value, Math.floor(place / 3)) : value
  return Array.isArray(right) ? [spoiled] : { ...right, [name]: spoiled }
}

interface RequestBody {
  payload?: string
  type?: string
}

const TYPES = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'application/json; charset=x']
const BROKEN_BODIES = ['', '{', '{"a":', 'null', '[]', '"x"', '\0', '{"a":1}}', '\ufeff{}', '{"__proto__":{"a":1}}']
const deepJson = fc.constantFrom(50, 20_000).map((levels) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`)

function toBodies(entry: Endpoint): fc.Arbitrary<RequestBody> {
  if (!entry.body)
    return fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.constant({ payload: '{', type: 'a/b' }))
  const json = toFields(entry).map((body) => JSON.stringify(body))
  if (isForm(entry.body)) return toForms(json)
  const bodies = fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 1, arbitrary: strangeValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...BROKEN_BODIES), deepJson, fc.string({ maxLength: 60 })) },
  )
  const types = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
  )
  return fc.record({ payload: bodies, type: types })
}

const FILES = ['a.md', 'a.pdf', 'a.docx', 'a.csv', 'a.exe', '', '../../a.md', 'a\\";.md', 'x'.repeat(500)]

/** Parts in any number and order, with any name; whole, cut off, or bounded by another word than they say. */
function toForms(json: fc.Arbitrary<string>): fc.Arbitrary<RequestBody> {
  const field = fc
    .tuple(
      fc.constantFrom('data', 'data', 'user', 'other', ''),
      fc.oneof(json, fc.constantFrom(...BROKEN_BODIES), deepJson),
    )
    .map(([name, text]) => `form-data; name="${name}"\r\n\r\n${text}`)
  const file = fc
    .tuple(fc.constantFrom(...FILES), fc.oneof(fc.constantFrom('', '%PDF-1.7', 'PK\u0003\u0004', '# a'), fc.string()))
    .map(([name, text]) => `form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${text}`)
  const strangePart = fc.constantFrom('form-data', 'attachment; name=file', '\r\n\r\n', 'form-data; name="\0"\r\n\r\nx')
  const parts = fc.array(fc.oneof({ weight: 3, arbitrary: field }, { weight: 3, arbitrary: file }, strangePart), {
    maxLength: 4,
  })
  const written = parts.map((all) => all.map((part) => `--b\r\nContent-Disposition: ${part}\r\n`).join(''))
  return fc
    .tuple(written, fc.constantFrom('--b--\r\n', '--b--\r\n', '--b--\r\n', '', '--b'), fc.nat(9))
    .map(([body, end, odd]) => {
      if (odd === 0) return { payload: body + end, type: 'multipart/form-data' }
      if (odd === 1) return { payload: body + end, type: 'multipart/form-data; boundary=other' }
      return odd === 2
        ? { payload: '{}', type: 'application/json' }
        : { payload: body + end, type: `multipart/form-data; boundary=b` }
    })
}

const QUERY = ['page', 'limit', 'keyword', 'status', 'user', 'last_id', 'conversation_id', 'sort_by', 'metadata']
const queries = fc.array(
  fc.tuple(
    fc.constantFrom(...QUERY, 'created_at__after', '__proto__', 'other'),
    fc.oneof(
      fc.constantFrom('', '0', '-1', '101', '1e9', '9999999999999999999', '\0', UNKNOWN_ID),
      fc.string({ maxLength: 20 }),
    ),
  ),
  { maxLength: 3 },
)
const oddParam = fc.oneof(
  fc.constantFrom(
    UNKNOWN_ID,
    '..',
    '%00',
    '%ff',
    "a'b",
    ' ',
    '\ud83c\udf75',
    'x'.repeat(400),
    `${UNKNOWN_ID}${UNKNOWN_ID}`,
  ),
  fc.string({ minLength: 1, maxLength: 20 }),
)

/** The path with the ids of things that are there, or with one of them odd. What the others need is not deleted. */
function toPaths(entry: Endpoint): fc.Arbitrary<string> {
  const names = getPathParamNames(entry.path)
  const right = (name: string) =>
    entry.method === 'DELETE' && name === names.at(-1) ? UNKNOWN_ID : (ids[name] ?? UNKNOWN_ID)
  const known = fc.constant(null)
  const one = fc.tuple(fc.nat(), oddParam)
  return fc
    .oneof({ weight: 3, arbitrary: known }, { weight: names.length > 0 ? 1 : 0, arbitrary: one })
    .map((change) => {
      const params = Object.fromEntries(names.map((name) => [name, right(name)]))
      if (change) params[names[change[0] % names.length] ?? ''] = change[1].toWellFormed()
      return describePath(entry.path, params)
    })
}

describe('malformed requests', () => {
  it.each(operations)(
    'of %s are refused in the platform’s error shape, and never a fault',
    async (_name, entry) => {
      const request = fc.record({ path: toPaths(entry), query: queries, body: toBodies(entry) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { minLength: REQUESTS_PER_BATCH, maxLength: REQUESTS_PER_BATCH }),
          async (requests) => {
            await Promise.all(
              requests.map(async ({ path, query, body: { payload, type } }) => {
                const reply = await platform.app.inject({
                  method: entry.method,
                  url: `/v1${path}?${new URLSearchParams(query.map(([name, value]) => [name, value.toWellFormed()])).toString()}`,
                  headers: {
                    authorization: `Bearer key-${getKeyKind(entry)}`,
                    ...(type ? { 'content-type': type } : {}),
                  },
                  ...(payload === undefined ? {} : { payload }),
                })
                if (reply.statusCode < 300) return
                expect(JSON.parse(reply.body)).toEqual({
                  code: expect.stringMatching(/^[a-z_]+$/) as string,
                  message: expect.any(String) as string,
                  status: reply.statusCode,
                })
                expect(reply.statusCode, reply.body).toBeLessThan(500)
              }),
            )
          },
        ),
        { numRuns: BATCH_COUNT },
      )
    },
    60_000,
  )

  it('leave the platform as able as before', async () => {
    const dataset_id = await platform.newDataset()
    expect(await platform.addText(dataset_id, 'still indexing')).toMatchObject({ indexing_status: 'completed' })
    const { status, body } = await platform.send(
      'POST',
      '/chat-messages',
      { query: 'still indexing', user: 'user', response_mode: 'blocking' },
      { authorization: 'Bearer key-chat' },
    )
    expect([status, body['event']]).toEqual([200, 'message'])
  })
})
