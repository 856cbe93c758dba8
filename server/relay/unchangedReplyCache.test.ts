import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import { REDACTED } from '../vault/keyRedaction.ts'
import { UnchangedReplyCache } from './unchangedReplyCache.ts'

describe('a reply that says what the last one said', () => {
  let bench: TestConsole
  beforeAll(async () => {
    bench = await TestConsole.start()
  })
  afterAll(() => bench.remove())

  const at = `/api/keys/`
  const dataset = randomUUID()
  const list = (name: string, id: string) => ({
    data: [{ id, name, position: 1, indexing_status: 'completed' }],
    has_more: false,
    limit: 20,
    total: 1,
    page: 1,
  })
  const answer = (body: unknown) => (bench.platform.script = (_seen, response) => sendError(response, 200, body))
  const documents = async () => {
    const response = await bench.fetch('GET', `${at}${bench.keys.knowledge}/datasets/${dataset}/documents`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return response.text()
  }
  const labels = async () => {
    const { rows } = await bench.database.pool.query<{ label: string }>(
      `SELECT label FROM resources WHERE kind = 'document' AND parent = $1`,
      [dataset],
    )
    return rows.map(({ label }) => label)
  }

  it('is asked for each time, and goes on the same, without the key', async () => {
    const before = bench.platform.requests.length
    answer(list(`from ${bench.secretKey}-knowledge, Zürich`, randomUUID()))
    const replies = [await documents(), await documents(), await documents()]
    expect(bench.platform.requests.length).toBe(before + 3)
    expect(new Set(replies).size).toBe(1)
    expect(replies[0]).toContain(`from ${REDACTED}, Zürich`)
  })

  it('is no reply to a read where nothing was said at all', async () => {
    bench.platform.script = (_seen, response) => void response.writeHead(200).end()
    const response = await bench.fetch('GET', `${at}${bench.keys.knowledge}/datasets/${dataset}/documents`)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.json()).toMatchObject({ kind: 'cut', upstream: { status: 200 } })
  })

  it('hides no change: the next one that differs is shown and remembered', async () => {
    const id = randomUUID()
    answer(list('old', id))
    await documents()
    await documents()
    answer(list('new', id))
    expect(await documents()).toContain('"new"')
    await expect.poll(labels).toContain('new')
    answer(list('old', id))
    await documents()
    await expect.poll(labels).toContain('old')
  })

  it('names again what was deleted, if it is still there', async () => {
    const id = randomUUID()
    answer(list('tough', id))
    await documents()
    await expect.poll(labels).toContain('tough')
    bench.platform.script = (seen, response) =>
      sendError(response, 200, seen.method === 'DELETE' ? { result: 'success' } : list('tough', id))
    const gone = await bench.fetch('DELETE', `${at}${bench.keys.knowledge}/datasets/${dataset}/documents/${id}`)
    expect(gone.ok).toBe(true)
    await expect.poll(labels).not.toContain('tough')
    await documents()
    await expect.poll(labels).toContain('tough')
  })
})

describe('what is held of replies', () => {
  const credential = { key_id: 'k', workspace_id: 'w', secret: 'one-secret' } as PlatformCredential
  const known = { status: 200, said: Buffer.from('said'), found: [] }
  const heard = { version: '1.0' }
  const bytes = Buffer.from('said')
  let now = 0
  const filled = () => {
    const repeats = new UnchangedReplyCache(() => now)
    repeats.set(credential, '/path', heard, bytes, known)
    return repeats
  }

  it('is known by its bytes alone, of the same read, key, secret and version', () => {
    const repeats = filled()
    const recall = (change: Partial<PlatformCredential> = {}, path = '/path', version = '1.0', said = 'said') =>
      repeats.get({ ...credential, ...change }, path, { version }, Buffer.from(said))
    expect(recall()).toMatchObject(known)
    expect(recall({}, '/other')).toBeNull()
    expect(recall({ key_id: 'other' })).toBeNull()
    expect(recall({ workspace_id: 'other' })).toBeNull()
    expect(recall({ secret: 'another-secret' })).toBeNull()
    expect(recall({}, '/path', '1.1')).toBeNull()
    expect(recall({}, '/path', '1.0', 'Said')).toBeNull()
  })

  it('is looked at again after twenty seconds, and after a change', () => {
    const repeats = filled()
    now += 19_999
    expect(repeats.get(credential, '/path', heard, bytes)).not.toBeNull()
    now += 1
    expect(repeats.get(credential, '/path', heard, bytes)).toBeNull()
    const changed = filled()
    changed.delete('another')
    expect(changed.get(credential, '/path', heard, bytes)).not.toBeNull()
    changed.delete('w')
    expect(changed.get(credential, '/path', heard, bytes)).toBeNull()
  })

  it('is no large reply, and never more than eight MiB', () => {
    const repeats = new UnchangedReplyCache(() => now)
    const hold = (path: string, size: number) => {
      const large = Buffer.alloc(size, path)
      repeats.set(credential, path, heard, large, { ...known, said: large })
      return repeats.get(credential, path, heard, large) !== null
    }
    expect(hold('/large', 256 * 1024 + 1)).toBe(false)
    const held = Array.from({ length: 100 }, (_, index) => hold(`/${index}`, 200_000))
    expect(held.filter(Boolean).length).toBeGreaterThan(90)
    const left = held.filter((_, index) =>
      repeats.get(credential, `/${index}`, heard, Buffer.alloc(200_000, `/${index}`)),
    )
    expect(left.length * 400_000).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(left.length).toBeGreaterThan(0)
  })
})
