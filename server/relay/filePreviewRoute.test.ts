import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeEach, expect, it } from 'vitest'
import { PNG } from '#support/png.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { filePreviewPath } from '#contract/console/files/filePreview.ts'
import { TestConsole } from '../app.testing.ts'

const FILE = randomUUID()
const CONVERSATION = randomUUID()

const bench = TestConsole.forFile()
beforeEach(() => {
  bench.platform.requests.length = 0
})

const load = (part: { download?: string; conversation?: string | null } = {}) =>
  bench.fetch(
    'GET',
    filePreviewPath({ key: bench.keys.chat, file_id: FILE, user: 'mira', conversation: null, ...part }),
  )
const sendFile = (response: ServerResponse, type: string, bytes: Buffer) =>
  void response.writeHead(200, { 'content-type': type }).end(bytes)
const paths = () => bench.platform.requests.map(({ path }) => path)

it('passes the platform’s preview of an upload on, with the key that the browser never sees', async () => {
  bench.platform.script = (_seen, response) => sendFile(response, 'image/png', PNG)
  const reply = await load()
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(reply.headers.get('content-disposition')).toBe('inline')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(PNG)
  expect(paths()).toEqual([expect.stringContaining(`/files/${FILE}/preview?user=mira`)])
  expect(bench.platform.requests[0]?.headers['authorization']).toMatch(/^Bearer /)
})

it('never shows a page of the platform in this origin', async () => {
  bench.platform.script = (_seen, response) => sendFile(response, 'image/svg+xml', Buffer.from('<svg onload="x"/>'))
  const reply = await load()
  expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  expect(reply.headers.get('content-disposition')).toContain('attachment')
  bench.platform.script = (_seen, response) => sendFile(response, 'image/png', PNG)
  const saved = await load({ download: 'röntgen "1".png' })
  expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''r%C3%B6ntgen%20%221%22.png")
})

it('follows a fresh link of the history without the key, where the platform has no preview', async () => {
  bench.platform.script = ({ path }, response) => {
    if (path.includes('/preview')) return sendError(response, 404, { code: 'not_found', message: 'No such route.' })
    if (path.includes('/messages')) {
      const url = `${bench.platform.url}/signed/${FILE}?sign=abc`
      const message = { id: randomUUID(), message_files: [{ id: randomUUID(), upload_file_id: FILE, url }] }
      return sendError(response, 200, { data: [message], has_more: false, limit: 100 })
    }
    sendFile(response, 'image/png', PNG)
  }
  const reply = await load({ conversation: CONVERSATION })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
  const linked = bench.platform.requests.at(-1)
  expect(linked?.path).toContain(`/signed/${FILE}?sign=abc`)
  expect(linked?.headers['authorization']).toBeUndefined()

  expect((await load()).status).toBe(424)
})

it('follows no link to an address that the egress policy refuses', async () => {
  bench.platform.script = ({ path }, response) => {
    if (path.includes('/preview')) return sendError(response, 404, { code: 'not_found', message: 'No such route.' })
    const message = { id: randomUUID(), message_files: [{ id: FILE, url: 'http://169.254.169.254/latest/meta-data' }] }
    sendError(response, 200, { data: [message], has_more: false, limit: 100 })
  }
  const reply = await load({ conversation: CONVERSATION })
  expect(reply.status).toBe(403)
  expect(paths()).toHaveLength(2)
})

it('refuses bytes that contain the key', async () => {
  bench.platform.script = ({ headers }, response) => {
    const key = String(headers['authorization']).replace('Bearer ', '')
    sendFile(response, 'image/png', Buffer.concat([PNG, Buffer.from(key)]))
  }
  const reply = await load()
  expect(reply.status).toBe(502)
  expect(await reply.text()).toContain('contains the key')
})
