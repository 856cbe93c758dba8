import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import {
  type KeptFile,
  MAX_KEPT_FILE_BYTES,
  MAX_KEPT_FILES,
  linkedFilePath,
} from '#contract/console/files/linkedFile.ts'
import {
  createAnswerIds,
  openStream,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

const BYTES = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2, 255])

const testConsole = TestConsole.forFile()
let run_id: string
let report: string
const RELATIVE = '/files/tools/picture.png?sign=1'
beforeAll(async () => {
  report = `${testConsole.platform.url.replace(/\/v1$/, '')}/files/report.pdf?sign=1`
  const ids = createAnswerIds()
  testConsole.platform.script = (_seen, response) => {
    openStream(response)
    response.write(toEventBlock({ event: 'message_file', ...ids, id: randomUUID(), type: 'document', url: report }))
    response.write(toMessageBlock(ids, `![a](${RELATIVE})`))
    response.end(toMessageEndBlock(ids))
  }
  run_id = randomUUID()
  await (await testConsole.ask({}, { 'run-id': run_id })).text()
})

const answerWith = (type: string, bytes: Buffer, status = 200) => {
  testConsole.platform.requests.length = 0
  testConsole.platform.script = (_seen: unknown, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': type }).end(bytes)
}
const path = () => `/api/runs/${run_id}/kept-files`
const keep = (body: unknown, headers?: Record<string, string>) => testConsole.fetch('POST', path(), body, headers)
const list = async () => await testConsole.list<KeptFile>(path())

it('keeps a file with its run, and gives it out after its link has expired', async () => {
  answerWith('application/pdf', BYTES)
  const reply = await keep({ url: report, name: ' Report "1".pdf ' })
  expect(reply.status).toBe(200)
  const kept = (await reply.json()) as KeptFile
  expect(kept).toMatchObject({ url: report, name: 'Report "1".pdf', type: 'application/pdf', bytes: BYTES.length })
  expect(kept.person).not.toBeNull()
  expect(testConsole.platform.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined])
  expect(await list()).toEqual([kept])

  answerWith('application/json', Buffer.from('{"message":"Invalid signature."}'), 403)
  const saved = await testConsole.fetch('GET', linkedFilePath({ run_id, url: report, download: 'r.pdf' }))
  expect([saved.status, saved.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  expect(Buffer.from(await saved.arrayBuffer())).toEqual(BYTES)
  // It is no picture, kept or not.
  expect((await testConsole.fetch('GET', linkedFilePath({ run_id, url: report }))).status).toBe(502)
  expect(testConsole.platform.requests).toEqual([])
})

it('keeps a file once, however often it is asked for, and one without an origin as the platform’s', async () => {
  answerWith('image/png', BYTES)
  const replies = await Promise.all([1, 2, 3].map(() => keep({ url: RELATIVE, name: 'picture.png' })))
  const ids = await Promise.all(replies.map(async (reply) => ((await reply.json()) as KeptFile).id))
  expect(new Set(ids).size).toBe(1)
  expect(await list()).toHaveLength(2)
  answerWith('text/plain', Buffer.from('gone'), 404)
  const shown = await testConsole.fetch('GET', linkedFilePath({ run_id, url: RELATIVE }))
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
})

it('refuses by name what cannot be kept, and keeps nothing of it', async () => {
  const before = await list()
  answerWith('image/png', BYTES)
  for (const [body, field] of [
    [{ name: 'a' }, 'url'],
    [{ url: report }, 'name'],
    [{ url: report, name: ' ' }, 'name'],
    [{ url: report, name: 'a\u0000b' }, 'name'],
    [{ url: report, name: 'a'.repeat(256) }, 'name'],
    [{ url: report, name: 'a', kept: true }, 'kept'],
  ] as const) {
    const reply = await keep(body)
    expect([body, reply.status, await reply.text()]).toEqual([body, 400, expect.stringContaining(field)])
  }
  for (const url of ['https://evil.example/p.png', '/v1/info', 'file:///etc/passwd'])
    expect([url, (await keep({ url, name: 'a' })).status]).toEqual([url, 404])
  expect(testConsole.platform.requests).toEqual([])
  expect(await list()).toEqual(before)
})

it('gives up on a file that is too large, expired, or contains the key', async () => {
  const data = await testConsole.list<KeptFile>(path())
  for (const { id } of data) await testConsole.json('DELETE', `${path()}/${id}`)
  answerWith('application/pdf', Buffer.alloc(MAX_KEPT_FILE_BYTES + 1))
  const large = await keep({ url: report, name: 'a' })
  expect([large.status, await large.text()]).toEqual([502, expect.stringContaining('exceeds 25 MiB')])
  answerWith('application/json', Buffer.from('{"message":"Invalid signature."}'), 403)
  expect(await (await keep({ url: report, name: 'a' })).text()).toContain('Invalid signature.')
  answerWith('application/pdf', Buffer.from(`%PDF ${testConsole.secretKey}-chat`))
  expect(await (await keep({ url: report, name: 'a' })).text()).toContain('contains the key')
  expect(await list()).toEqual([])
})

it('refuses a file beyond the limit of the workspace with the sizes, and keeps what is there', async () => {
  const retention = `/api/workspaces/${testConsole.workspace}/retention`
  await testConsole.json('PATCH', retention, { keep_file_megabytes: 1 })
  answerWith('application/pdf', Buffer.alloc(700_000))
  const replies = await Promise.all([report, RELATIVE].map((url) => keep({ url, name: 'a' })))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = await replies.find(({ status }) => status === 409)?.text()
  expect(refused).toContain('take 0.7 of 1 MB, and this file has 0.7 MB')
  await testConsole.json('PATCH', retention, { keep_file_megabytes: 0 })
  const [kept] = await list()
  expect(kept?.bytes).toBe(700_000)
  await testConsole.json('PATCH', retention, { keep_file_megabytes: 2_147 })
  await testConsole.json('DELETE', `${path()}/${kept?.id}`)
})

it('counts as an upload in the rate limit', () => {
  const route = testConsole.console.routes.find(({ method, url }) => method === 'POST' && url.endsWith('/kept-files'))
  expect(route?.config?.rateLimit).toMatchObject({ groupId: 'upload' })
})

it('is for those who may run something, and within their grants', async () => {
  answerWith('application/pdf', BYTES)
  const viewer = await createPerson(testConsole, 'viewer')
  expect((await keep({ url: report, name: 'a' }, { cookie: viewer.cookie })).status).toBe(403)
  expect((await testConsole.fetch('GET', path(), undefined, { cookie: viewer.cookie })).status).toBe(200)
  expect((await testConsole.fetch('GET', `/api/runs/${randomUUID()}/kept-files`)).status).toBe(404)
  expect((await testConsole.fetch('DELETE', `${path()}/${randomUUID()}`)).status).toBe(404)
  expect((await testConsole.fetch('DELETE', `${path()}/none`)).status).toBe(400)
})

it('keeps no more files than it may, and none when its run is deleted', async () => {
  const { pool } = testConsole.database
  await pool.query(
    `INSERT INTO kept_files(id, run_id, url_hash, url, name, type, bytes, data, kept_at)
     SELECT gen_random_uuid(), $1, 'hash ' || n, 'https://a.example/' || n, 'a', '', 1, 'a', now() FROM generate_series(1, $2) AS n`,
    [run_id, MAX_KEPT_FILES],
  )
  answerWith('application/pdf', BYTES)
  const reply = await keep({ url: report, name: 'a' })
  expect([reply.status, await reply.text()]).toEqual([409, expect.stringContaining('at most 100 saved files')])
  await pool.query('DELETE FROM calls WHERE id = $1', [run_id])
  expect((await pool.query('SELECT id FROM kept_files')).rows).toEqual([])
})
