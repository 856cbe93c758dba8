import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentFilePath } from '#contract/console/files/documentFile.ts'
import { filePreviewPath } from '#contract/console/files/filePreview.ts'
import { linkedFilePath } from '#contract/console/files/linkedFile.ts'
import { PNG } from '#support/png.ts'
import {
  createAnswerIds,
  openStream,
  ScriptedPlatform,
  sendError,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

/** Two other hosts than the platform. EGRESS_ALLOW lists the first. */
let host: ScriptedPlatform
let internal: ScriptedPlatform
beforeAll(async () => {
  host = await ScriptedPlatform.start()
  internal = await ScriptedPlatform.start()
})
const bench = TestConsole.forFile(undefined, () => ({ EGRESS_ALLOW: new URL(host.url).host }))
let run_id: string
const urls = { signed: '', remote: '', odd: '', internal: '' }
beforeAll(async () => {
  urls.signed = `${bench.platform.url.replace(/\/v1$/, '')}/files/tools/a.png?timestamp=1&sign=x%3D`
  urls.remote = `${new URL(host.url).origin}/pictures/b c.png`
  urls.odd = 'http://169.254.169.254/latest/meta-data'
  urls.internal = `${new URL(internal.url).origin}/admin/all?q=1`
  const ids = createAnswerIds()
  const text = `![a](/files/tools/rel.png?sign=1&amp;n=2) ![b](<${urls.remote}>) ![c](${urls.odd}) ![d](ftp://a.example/d.png) ![e](/v1/info) ![f](/files/../v1/info) **${urls.internal}**. https://good.example/?next=${new URL(host.url).origin}/hidden.png http://inner:80@good.example/x`
  bench.platform.script = (_seen, response) => {
    openStream(response)
    response.write(toEventBlock({ event: 'message_file', ...ids, id: randomUUID(), type: 'image', url: urls.signed }))
    response.write(toMessageBlock(ids, text))
    response.end(toMessageEndBlock(ids))
  }
  run_id = randomUUID()
  await (await bench.ask({}, { 'run-id': run_id })).text()
})
afterAll(() => Promise.all([host.close(), internal.close()]))

const load = (url: string, download?: string, headers?: Record<string, string>) =>
  bench.fetch(
    'GET',
    linkedFilePath({ run_id, url, ...(download === undefined ? {} : { download }) }),
    undefined,
    headers,
  )
const answerWith = (type: string, bytes: Buffer, status = 200) => {
  bench.platform.requests.length = 0
  host.requests.length = 0
  const script = (_seen: unknown, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': type, 'set-cookie': 'a=b', refresh: '0' }).end(bytes)
  bench.platform.script = script
  host.script = script
}

it('shows an image that the answer names, without the key, and passes nothing else on', async () => {
  answerWith('image/png; charset=binary', PNG)
  const reply = await load(urls.signed)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(reply.headers.get('content-disposition')).toBe('inline')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('refresh')).toBeNull()
  expect(reply.headers.get('set-cookie')).toBeNull()
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(PNG)
  expect(bench.platform.requests.map(({ path, headers }) => [path, headers['authorization']])).toEqual([
    ['/files/tools/a.png?timestamp=1&sign=x%3D', undefined],
  ])
})

it('knows a URL as a browser writes it, and one without an origin as the platform’s', async () => {
  answerWith('image/png', PNG)
  expect((await load(new URL(urls.remote).href)).status).toBe(200)
  expect(host.requests[0]?.path).toBe('/pictures/b%20c.png')
  // Headers of ours go to platforms only.
  expect(Object.keys(host.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([])
  expect((await load('/files/tools/rel.png?sign=1&n=2')).status).toBe(200)
  expect(bench.platform.requests[0]?.path).toBe('/files/tools/rel.png?sign=1&n=2')
})

it('saves a file of any type under its name, and never shows it', async () => {
  answerWith('text/html', Buffer.from('<script>1</script>'))
  expect((await load(urls.signed)).status).toBe(502)
  const saved = await load(urls.signed, 'a "1".html')
  expect([saved.status, saved.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%20%221%22.html")
  for (const type of ['image/svg+xml', '', 'application/pdf']) {
    answerWith(type, PNG)
    const reply = await load(urls.signed)
    expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining('does not return an image')])
  }
})

it('loads nothing that the answer does not name, and nothing of another run', async () => {
  answerWith('image/png', PNG)
  for (const url of [
    'https://evil.example/p.png',
    `${new URL(host.url).origin}/pictures/other.png`,
    // The answer names this path, as one of the platform.
    `${new URL(host.url).origin}/files/tools/rel.png?sign=1&n=2`,
    '//evil.example/p.png',
    'ftp://a.example/d.png',
    'file:///etc/passwd',
    '/etc/passwd',
    // Parts of an address that the answer names.
    urls.internal.slice(0, -1),
    urls.internal.replace('/all?q=1', ''),
    `${new URL(host.url).origin}/hidden.png`,
    'http://inner:80',
    // Named, but an operation of the platform and no file.
    '/v1/info',
    '/files/../v1/info',
  ]) {
    const reply = await load(url)
    expect([url, reply.status]).toEqual([url, 404])
  }
  expect((await load('')).status).toBe(400)
  const other = await bench.fetch('GET', linkedFilePath({ run_id: randomUUID(), url: urls.signed }))
  expect(other.status).toBe(404)
  const nobody = await fetch(bench.url + linkedFilePath({ run_id, url: urls.signed }))
  expect(nobody.status).toBe(401)
  expect([...bench.platform.requests, ...host.requests]).toEqual([])
})

it('reaches no address that the egress policy refuses, and follows no redirect', async () => {
  answerWith('image/png', PNG)
  expect((await load(urls.odd)).status).toBe(403)
  host.script = (_seen, response) => void response.writeHead(302, { location: bench.platform.url }).end()
  expect((await load(urls.remote)).status).toBe(502)
  expect(bench.platform.requests).toEqual([])
})

it('loads from another host nothing but pictures without the permission to edit', async () => {
  const viewer = await createPerson(bench, 'viewer')
  const operator = await createPerson(bench, 'operator')
  const asViewer = { cookie: viewer.cookie }
  for (const [type, bytes] of [
    ['application/json', Buffer.from('{"internal":"secret"}')],
    ['image/png', Buffer.from('{"internal":"secret"}')],
    ['image/svg+xml', PNG],
    ['image/png', Buffer.alloc(0)],
  ] as const) {
    answerWith(type, bytes)
    const refused = await load(urls.remote, 'a', asViewer)
    expect([type, refused.status, await refused.text()]).toEqual([type, 403, expect.not.stringContaining('secret')])
    const saved = await load(urls.remote, 'a', { cookie: operator.cookie })
    expect([saved.status, saved.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
    expect(Buffer.from(await saved.arrayBuffer())).toEqual(bytes)
  }
  answerWith('image/png', PNG)
  for (const download of [undefined, 'a.png']) {
    const shown = await load(urls.remote, download, asViewer)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
  }
  answerWith('application/json', Buffer.from('{}'))
  expect((await load(urls.signed, 'a', asViewer)).status).toBe(200)
})

it('follows no link of a platform to a private address, and names the setting to an admin', async () => {
  bench.platform.script = ({ path }, response) =>
    path.includes('/preview')
      ? sendError(response, 404, { code: 'not_found', message: 'No such route.' })
      : sendError(response, 200, {
          url: urls.internal,
          data: [{ id: run_id, message_files: [{ id: run_id, url: urls.internal }] }],
          has_more: false,
          limit: 100,
        })
  const { chat, knowledge } = bench.keys
  const users: [string, string, unknown?][] = [
    ['GET', linkedFilePath({ run_id, url: urls.internal, download: 'x' })],
    ['POST', `/api/runs/${run_id}/kept-files`, { url: urls.internal, name: 'x' }],
    ['GET', filePreviewPath({ key: chat, file_id: run_id, user: 'mira', conversation: run_id })],
    ['GET', documentFilePath({ key: knowledge, dataset_id: run_id, document_id: run_id, name: 'x' })],
  ]
  const operator = await createPerson(bench, 'operator')
  const address = new URL(urls.internal).host
  for (const [method, path, body] of users) {
    const message = `The console does not send requests to ${address}.`
    const reply = await bench.fetch(method, path, body, { cookie: operator.cookie })
    expect([path, reply.status, await reply.json()]).toMatchObject([path, 403, { kind: 'denied', message }])
    const toAdmin = await bench.fetch(method, path, body)
    expect(await toAdmin.text()).toContain(`${message} EGRESS_ALLOW=${address} `)
  }
  expect(internal.requests).toEqual([])
  expect(await (await load(urls.odd)).text()).not.toContain('EGRESS_ALLOW')
})

it('has one place that follows links', () => {
  const users = globSync('server/**/*.ts').filter((path) => /\.fetchLink\(/.test(readFileSync(path, 'utf8')))
  expect(users).toEqual(['server/relay/linkedFile.ts'])
})

it('passes the words of a refusal on, as of an expired link', async () => {
  answerWith('application/json', Buffer.from('{"message":"Invalid signature."}'), 403)
  const reply = await load(urls.signed)
  expect([reply.status, await reply.text()]).toEqual([424, expect.stringContaining('Invalid signature.')])
})

it('gives up on an image that is too large, and refuses bytes that contain the key', async () => {
  answerWith('image/png', Buffer.alloc(10 * 1024 * 1024 + 1))
  const reply = await load(urls.signed)
  expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining('exceeds 10 MiB')])
  answerWith('image/png', Buffer.concat([PNG, Buffer.from(`${bench.secretKey}-chat`)]))
  expect(await (await load(urls.signed)).text()).toContain('contains the key')
})
