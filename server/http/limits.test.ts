import { beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { RATE_LIMITS_PER_MINUTE } from './rateLimit.ts'

const FILE =
  '/datasets/3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01/documents/3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e02/update-by-file'
const MIB_BYTES = 1024 * 1024

describe('what goes through is bounded', () => {
  const bench = TestConsole.forFile()
  beforeAll(async () => {
    bench.platform.script = ({ path }, response) =>
      sendError(
        response,
        200,
        path.endsWith('/parameters') ? { system_parameters: { file_size_limit: 1 } } : { id: 'x' },
      )
  })

  /** A form whose file has so many bytes; without a length when it comes as a stream. */
  const upload = async (path: string, size: number, isStream = false) => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    let left = size
    const stream = new ReadableStream({
      pull(controller) {
        if (left === size) controller.enqueue(new TextEncoder().encode(head))
        const part = Math.min(left, 65_536)
        left -= part
        if (part > 0) controller.enqueue(new Uint8Array(part))
        else {
          controller.enqueue(new TextEncoder().encode('\r\n--b--\r\n'))
          controller.close()
        }
      },
    })
    const response = await fetch(bench.url + path, {
      method: 'POST',
      headers: {
        cookie: bench.cookie,
        'x-console': '1',
        'content-type': 'multipart/form-data; boundary=b',
        ...(isStream ? {} : { 'content-length': String(size + head.length + 9) }),
      },
      body: isStream ? stream : Buffer.concat([Buffer.from(head), Buffer.alloc(size), Buffer.from('\r\n--b--\r\n')]),
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, problem: (await response.json()) as Problem }
  }

  it('a file, by what the app takes and by what the server lets through, with and without a length', async () => {
    const app = `/api/keys/${bench.keys.chat}/files/upload`
    expect((await upload(app, 2 * MIB_BYTES)).status).toBe(200)
    await bench.fetch('GET', `/api/keys/${bench.keys.chat}/parameters`)
    await expect.poll(async () => (await upload(app, 2 * MIB_BYTES)).status).toBe(413)
    const tooLarge = {
      status: 413,
      problem: { kind: 'invalid', fields: [{ path: 'body.file', message: 'must be at most 1 MB' }] },
    }
    expect(await upload(app, 2 * MIB_BYTES)).toMatchObject(tooLarge)
    expect(await upload(app, 2 * MIB_BYTES, true)).toMatchObject(tooLarge)
    expect((await upload(app, MIB_BYTES)).status).toBe(200)
    const knowledge = `/api/keys/${bench.keys.knowledge}${FILE}`
    expect((await upload(knowledge, 2 * MIB_BYTES)).status).toBe(200)
    expect((await upload(knowledge, 101 * MIB_BYTES)).problem.message).toBe('The file must be at most 100 MB.')
  })

  it('the runs of one person in a minute, wherever they claim to come from', async () => {
    const path = `/api/keys/${bench.keys.chat}/chat-messages`
    const before = bench.platform.requests.length
    const statuses: number[] = []
    for (let sent = 0; sent < RATE_LIMITS_PER_MINUTE.run + 1; sent++) {
      const response = await bench.fetch('POST', path, {}, { 'x-forwarded-for': `10.0.0.${sent % 250}` })
      statuses.push(response.status)
      if (sent < RATE_LIMITS_PER_MINUTE.run) continue
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Problem.parse(await response.json()).message).toMatch(/^More than 300 requests of this kind per minute/)
    }
    expect([...new Set(statuses)]).toEqual([400, 429])
    expect(bench.platform.requests.length).toBe(before)
    expect((await bench.fetch('GET', '/api/workspaces')).status).toBe(200)
  })
})
