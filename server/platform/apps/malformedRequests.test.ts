import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHit, getTestKey, type OpenApps } from './apps.fixture.ts'
import { setupApps } from './serveApps.fixture.ts'

const { serve } = setupApps()
const ID = '44444444-4444-4444-8444-444444444444'
const FILE = { type: 'document', transfer_method: 'remote_url', url: 'https://a.b/c.pdf' }

/** Every operation of the application half: a request that is right, to be spoiled. */
const OPERATIONS: [app: string, method: string, path: string, body?: Record<string, unknown>][] = [
  [
    'chat',
    'POST',
    '/chat-messages',
    {
      query: 'q',
      user: 'u',
      inputs: { detail: 'short' },
      response_mode: 'blocking',
      conversation_id: '',
      files: [FILE],
      auto_generate_name: true,
    },
  ],
  ['chat', 'POST', `/conversations/${ID}/name`, { user: 'u', name: 'n', auto_generate: false }],
  [
    'completion',
    'POST',
    '/completion-messages',
    { inputs: { query: 'q', length: 'short', list: 'yes' }, user: 'u', response_mode: 'blocking', files: [] },
  ],
  [
    'workflow',
    'POST',
    '/workflows/run',
    { inputs: { query: 'q', sentences: 2 }, user: 'u', response_mode: 'blocking', files: [FILE] },
  ],
  [
    'workflow-digest',
    'POST',
    '/workflows/run',
    { inputs: { files: [FILE], focus: 'f' }, user: 'u', response_mode: 'blocking' },
  ],
  [
    'workflow-inspect',
    'POST',
    '/workflows/run',
    { inputs: { settings: { a: 1 }, fail: true, attachment: FILE }, user: 'u', response_mode: 'blocking' },
  ],
  ['workflow', 'GET', `/workflows/run/${ID}`],
  ['workflow', 'GET', '/workflows/logs?page=1&limit=20&keyword=k&status=failed&created_at__after=2026-01-01T00:00:00Z'],
  ['chat', 'GET', '/parameters'],
  [
    'chat',
    'POST',
    '/apps/annotation-reply/enable',
    { score_threshold: 0.9, embedding_provider_name: 'p', embedding_model_name: 'm' },
  ],
  ['chat', 'GET', `/apps/annotation-reply/enable/status/${ID}`],
  ['chat', 'POST', '/apps/annotations', { question: 'q', answer: 'a' }],
  ['chat', 'GET', '/apps/annotations?page=1&limit=20&keyword=k'],
  ['chat', 'PUT', `/apps/annotations/${ID}`, { question: 'q', answer: 'a' }],
  ['chat', 'DELETE', `/apps/annotations/${ID}`],
  ['chat', 'GET', `/conversations?user=u&last_id=${ID}&limit=20&sort_by=created_at`],
  ['chat', 'DELETE', `/conversations/${ID}`, { user: 'u' }],
  ['chat', 'GET', `/messages?user=u&conversation_id=${ID}&first_id=${ID}&limit=20`],
  ['chat', 'GET', `/messages/${ID}/suggested?user=u`],
  ['chat', 'POST', `/messages/${ID}/feedbacks`, { rating: 'like', user: 'u', content: 'c' }],
  ['chat', 'POST', `/chat-messages/${ID}/stop`, { user: 'u' }],
  ['completion', 'POST', `/completion-messages/${ID}/stop`, { user: 'u' }],
  ['workflow', 'POST', `/workflows/tasks/${ID}/stop`, { user: 'u' }],
  ['chat', 'POST', '/files/upload', { user: 'u' }],
  ['chat', 'GET', '/info'],
]

const strangeValue = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '../..',
    '%2e%2e',
    '{{x}}',
    "'; DROP TABLE x; --",
    'null',
    'NaN',
    '1e999',
    '<|endoftext|>',
  ),
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    [],
    {},
    [[]],
    [null],
    { __proto__: 1 },
    { constructor: { prototype: 1 } },
    'x'.repeat(100_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue(),
)
const deepJson = fc.constantFrom(100, 20_000).map((levels) => '['.repeat(levels) + ']'.repeat(levels))
const rawBody = fc.oneof(
  fc.constantFrom('', '{', 'null', '[]', '"x"', '1', '{"a":', '\0', '{"__proto__":{"a":1}}'),
  deepJson,
  fc.string({ maxLength: 60 }),
)

/** A field of the body replaced, taken out or added, at the top or inside. */
const spoilBody = (body: Record<string, unknown>) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(body), 'extra', '\0', '__proto__'), strangeValue, fc.boolean())
    .map(([name, value, inside]) => {
      const held = body[name]
      const isNested = inside && typeof held === 'object' && held !== null && !Array.isArray(held)
      const changed = isNested ? { ...held, [Object.keys(held)[0] ?? 'x']: value } : value
      return JSON.stringify({ ...body, [name]: changed })
    })

/** The id in the path, or a value of the query, replaced. */
const spoilPath = (path: string) =>
  fc.oneof(strangeValue, fc.webFragments()).map((value) => {
    const text = encodeURIComponent(
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 2000).toWellFormed(),
    )
    const [where = '', query] = path.split('?')
    if (!query) return where.replace(ID, text || 'x')
    const pairs = query.split('&').map((pair) => pair.split('=')[0] ?? '')
    return `${where.replace(ID, text || 'x')}?${pairs.map((name, index) => `${name}=${index === text.length % pairs.length ? text : ''}`).join('&')}`
  })

async function send(
  platform: OpenApps,
  app: string,
  method: string,
  path: string,
  body: string | undefined,
  type: string,
) {
  const response = await fetch(`${platform.base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${getTestKey(app)}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

test.each(OPERATIONS)(
  '%s: malformed requests of %s %s are refused in the platform’s shape, never 500',
  async (app, method, path, body) => {
    const platform = await serve({ find: () => [createHit(1, 'Tea is a drink.')] })
    const bodies = body
      ? fc.oneof({ weight: 4, arbitrary: spoilBody(body) }, { weight: 1, arbitrary: rawBody })
      : fc.constant(undefined)
    const paths = fc.oneof({ weight: 2, arbitrary: fc.constant(path) }, { weight: 1, arbitrary: spoilPath(path) })
    const types = fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'text/plain',
          'multipart/form-data',
          'multipart/form-data; boundary=x',
          'application/json; charset=utf-16',
        ),
      },
    )
    await fc.assert(
      fc.asyncProperty(paths, bodies, types, async (where, sent, type) => {
        const { status, text } = await send(platform, app, method, where, sent, type)
        expect(status, text).toBeLessThan(500)
        if (status >= 400)
          expect(JSON.parse(text)).toEqual({
            code: expect.stringMatching(/^[a-z_]+$/),
            message: expect.any(String),
            status,
          })
      }),
      { numRuns: 40 },
    )
    // It still does its work.
    expect((await send(platform, 'chat', 'GET', '/info', undefined, '')).status).toBe(200)
  },
)
