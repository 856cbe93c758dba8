import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import { sendError, type RecordedRequest } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

let testConsole: TestConsole
beforeAll(async () => {
  testConsole = await TestConsole.start()
})
afterAll(() => testConsole.remove())

type DetectionReply = EndpointReply<typeof contract.console.detectPlatform>
const detect = (base_url: string, keys: string[]) =>
  testConsole.json<DetectionReply>('POST', '/api/platform-detection', { base_url, keys })
const toError = (status: number, code: string) => ({ status, body: { code, message: `${code}.`, status } })
const UNKNOWN = toError(401, 'unauthorized')
const NOWHERE = toError(404, 'not_found')

/** A platform that knows a key of each kind; beyond the 18 operations only where `adjacent` says so. */
const platform = (adjacent: boolean) => {
  testConsole.platform.script = ({ path, headers }: RecordedRequest, response) => {
    const kind = String(headers.authorization).replace('Bearer the-', '')
    const at = path.replace('/v1', '').split('?')[0] ?? ''
    const answer = ((): { status: number; body: unknown } => {
      if (!path.startsWith('/v1/')) return { status: 404, body: 'nothing' }
      const isApp = ['chat', 'workflow', 'completion'].includes(kind)
      if (at.startsWith('/datasets/')) return kind === 'knowledge' ? NOWHERE : UNKNOWN
      if (!isApp) return UNKNOWN
      if (at === '/parameters') return { status: 200, body: { user_input_form: [] } }
      if (at.startsWith('/workflows/run/')) return kind === 'workflow' ? NOWHERE : toError(400, 'not_workflow_app')
      if (at === '/info' && adjacent) return { status: 200, body: { name: `App ${kind}`, mode: kind } }
      return { status: 404, body: 'nothing' }
    })()
    sendError(response, answer.status, answer.body, { 'x-version': '1.12.0' })
  }
}

it('mends the address and finds each kind where the platform tells it', async () => {
  platform(true)
  const root = testConsole.platform.url.replace('/v1', '')
  const keys = ['the-knowledge', 'the-chat', 'the-workflow', 'the-completion', 'the-wrong']
  for (const given of [root, `${root}/`, `${root}/v1`, `${root}/v1///`]) {
    const found = await detect(given, keys)
    expect(found).toMatchObject({ base_url: `${root}/v1`, version: '1.12.0', problem: null })
    expect(found.keys.map(({ kind }) => kind)).toEqual(['knowledge', 'chat', 'workflow', 'completion', null])
    expect(found.keys[1]?.name).toBe('App chat')
    expect(found.keys[4]?.problem).toMatchObject({ kind: 'refused', message: 'unauthorized.' })
  }
  expect(new Set(testConsole.platform.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
})

it('says which kinds a key may be where the platform has the 18 operations alone', async () => {
  platform(false)
  const { keys } = await detect(testConsole.platform.url, ['the-knowledge', 'the-chat', 'the-workflow'])
  expect(keys.map(({ kind, may_be }) => [kind, may_be])).toEqual([
    ['knowledge', ['knowledge']],
    [null, ['chat', 'completion']],
    [null, ['chat', 'workflow', 'completion']],
  ])
})

it('finds the address without a key, and keeps nothing', async () => {
  platform(false)
  expect(await detect(testConsole.platform.url.replace('/v1', ''), [])).toMatchObject({
    base_url: testConsole.platform.url,
    keys: [],
  })
  const { data } = await testConsole.json<{ data: unknown[] }>('GET', '/api/workspaces')
  expect(data).toHaveLength(1)
})

it('says at the field what is wrong with an address or a key', async () => {
  testConsole.platform.script = (_seen, response) => void response.writeHead(200).end('<h1>Welcome</h1>')
  expect((await detect(testConsole.platform.url, [])).problem?.fields?.[0]).toEqual({
    path: 'body.base_url',
    message: 'must be where a platform answers: it says 200, and not in JSON',
  })
  expect((await detect('http://127.0.0.1:1/v1', ['k'])).problem?.kind).toBe('unreachable')
  const refused = async (base_url: string, keys: string[]) => {
    const response = await testConsole.fetch('POST', '/api/platform-detection', { base_url, keys })
    const { fields } = (await response.json()) as { fields: { path: string; message: string }[] }
    return `${response.status} ${fields[0]?.path} ${fields[0]?.message}`
  }
  expect(await refused('http://host/v1', ['two words'])).toBe(
    '400 body.keys.0 must be one key: blanks and line breaks are no part of a key',
  )
  expect(await refused('http://host/v1', ['a\nb'])).toContain('line breaks')
  expect(await refused('http://host/v1', ['schlüssel'])).toBe('400 body.keys.0 must be visible ASCII')
  expect(await refused('http://2852039166/v1', [])).toContain('400 body.base_url must not lead to 169.254.169.254')
})

it('a key is kept only as what the platform answers it as, and a platform that says nothing is believed', async () => {
  platform(true)
  const keep = (kind: string, key: string) =>
    testConsole.fetch('POST', `/api/workspaces/${testConsole.workspace}/keys`, { kind, label: 'One', key })
  for (const [kind, key, said] of [
    ['chat', 'the-knowledge', 'knowledge'],
    ['knowledge', 'the-chat', 'chat'],
    ['workflow', 'the-chat', 'chat'],
    ['chat', 'the-workflow', 'workflow'],
  ] as const) {
    const response = await keep(kind, key)
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        fields: [
          { path: 'body.key', message: `must be a key of the kind ${kind}: the platform answers it as ${said}` },
        ],
      }),
    ])
  }
  for (const kind of ['knowledge', 'chat', 'workflow', 'completion'])
    expect((await keep(kind, `the-${kind}`)).status).toBe(200)
  const replaced = await testConsole.fetch(
    'PATCH',
    `/api/workspaces/${testConsole.workspace}/keys/${testConsole.keys.chat}`,
    {
      key: 'the-knowledge',
    },
  )
  expect(replaced.status).toBe(400)
  // One that refuses the key may be wrong about it today, and is asked again tomorrow.
  expect((await keep('chat', 'the-key-of-nobody')).status).toBe(200)
})
