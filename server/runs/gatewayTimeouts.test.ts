import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { sendError, type PlatformScript } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { TIMEOUTS_MS } from '../relay/upstream/upstream.ts'

const ERROR_PAGE = '<html><head><title>504 Gateway Time-out</title></head><body><center>nginx</center></body></html>'
const html = { 'content-type': 'text/html' }
const json = { 'content-type': 'application/json' }
const LOST = { kind: 'cut', message: 'The connection to the platform was lost.' }

/** How a gateway cuts a call that takes it too long, and what is told of it. */
const GATEWAY_FAILURES: [
  style: string,
  script: PlatformScript,
  tells: { kind: string; message: string; upstream?: unknown },
][] = [
  [
    'answers 504 with a page',
    (_, response) => void response.writeHead(504, html).end(ERROR_PAGE),
    {
      kind: 'refused',
      message: 'The platform answered 504 with the page “504 Gateway Time-out”.',
      upstream: { status: 504, body: ERROR_PAGE },
    },
  ],
  [
    'answers 504 with JSON',
    (_, response) => sendError(response, 504, { message: 'The upstream server is timing out' }),
    { kind: 'refused', message: 'The upstream server is timing out' },
  ],
  [
    'answers 524 with a page',
    (_, response) => void response.writeHead(524, html).end('<!DOCTYPE html><h1>A timeout occurred</h1>'),
    { kind: 'refused', message: 'The platform answered 524 with the page “A timeout occurred”.' },
  ],
  ['resets the connection', (_, response) => void response.socket?.resetAndDestroy(), LOST],
  ['closes the connection without a word', (_, response) => void response.socket?.end(), LOST],
  [
    'answers 200 with nothing',
    (_, response) => void response.writeHead(200, { ...json, 'content-length': '0' }).end(),
    {
      kind: 'cut',
      message: 'The platform answered 200 with an empty body.',
      upstream: { status: 200, body: null },
    },
  ],
  [
    'answers 200 and closes after half of the reply',
    (_, response) => {
      response.useChunkedEncodingByDefault = false
      response.writeHead(200, { ...json, connection: 'close' }).end('{"event":"message","answer":"Half of')
    },
    { kind: 'cut', message: 'The platform’s response was cut off.' },
  ],
]

const OPERATIONS = [
  ['workflow', 'workflows/run', { inputs: {} }],
  ['chat', 'chat-messages', { query: 'Why?' }],
  ['completion', 'completion-messages', { inputs: { query: 'Why?' } }],
] as const

describe('a blocking call that a gateway cuts', () => {
  const bench = TestConsole.forFile()
  const run = (id: string) => bench.json<Run>('GET', `/api/runs/${id}`)

  describe.each(OPERATIONS)('of a %s', (kind, path, body) => {
    it.each(GATEWAY_FAILURES)('when it %s is unknown, and never sent again', async (_, script, tells) => {
      bench.platform.script = script
      const before = bench.platform.requests.length
      const id = randomUUID()
      const asked = { ...body, user: 'me', response_mode: 'blocking' }
      const ask = () => bench.fetch('POST', `/api/keys/${bench.keys[kind]}/${path}`, asked, { 'run-id': id })
      const response = await ask()
      expect([response.status, await response.json()]).toMatchObject([tells.kind === 'cut' ? 502 : 424, tells])
      expect(await run(id)).toMatchObject({ status: 'unknown', problem: tells })
      // Whoever asks again under the same id is told the same.
      expect(await (await ask()).json()).toMatchObject(tells)
      expect(bench.platform.requests.slice(before).map(({ method }) => method)).toEqual(['POST'])
    })
  })

  it('that no gateway cuts is cut by the console, which says the same', async () => {
    const { blocking } = TIMEOUTS_MS
    TIMEOUTS_MS.blocking = 300
    bench.platform.script = () => undefined
    const before = bench.platform.requests.length
    const made = OPERATIONS.map(async ([kind, path, body]) => {
      const asked = { ...body, user: 'me', response_mode: 'blocking' }
      const response = await bench.fetch('POST', `/api/keys/${bench.keys[kind]}/${path}`, asked)
      expect([response.status, await response.json()]).toMatchObject([504, { kind: 'late' }])
      expect(await run(response.headers.get('run-id') ?? '')).toMatchObject({ status: 'unknown' })
    })
    await Promise.all(made).finally(() => (TIMEOUTS_MS.blocking = blocking))
    expect(bench.platform.requests.slice(before).map(({ method }) => method)).toEqual(['POST', 'POST', 'POST'])
  })
})
