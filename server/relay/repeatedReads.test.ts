import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { REDACTED } from '../vault/keyRedaction.ts'

describe('reads that repeat', () => {
  const bench = TestConsole.forFile()

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
    const rows = await bench.query<{ label: string }>(
      `SELECT label FROM resources WHERE kind = 'document' AND parent = $1`,
      [dataset],
    )
    return rows.map(({ label }) => label)
  }

  it('each go to the platform, and give the same reply without the key', async () => {
    const before = bench.platform.requests.length
    answer(list(`from ${bench.secretKey}-knowledge, Zürich`, randomUUID()))
    const replies = [await documents(), await documents(), await documents()]
    expect(bench.platform.requests.length).toBe(before + 3)
    expect(new Set(replies).size).toBe(1)
    expect(replies[0]).toContain(`from ${REDACTED}, Zürich`)
  })

  it('show and record each change', async () => {
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

  it('record a deleted resource again if the platform still lists it', async () => {
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
