import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { Resource } from '#contract/console/resources.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { ResourceStore } from './resources.ts'

describe('things', () => {
  const errors: unknown[] = []
  afterAll(() => expect(errors).toEqual([]))
  const bench = TestConsole.forFile()
  const remember = () => new ResourceStore(bench.database.pool, (error) => errors.push(error))
  const listed = async (query: string) => await bench.list<Resource>(`/api/resources?${query}`)

  it('keep their label and show their last record', async () => {
    const store = remember()
    const id = randomUUID()
    const see = async (fields: { label?: string; parent?: string; payload?: unknown }) => {
      store.record(bench.workspace, [{ kind: 'dataset', id, ...fields }])
      await store.whenIdle()
      return (await listed(`id=${id}`))[0]
    }
    await see({ label: 'First', payload: { n: 1 } })
    expect(await see({})).toMatchObject({ label: 'First', payload: { n: 1 } })
    expect(await see({ payload: { n: 2 } })).toMatchObject({ label: 'First', payload: { n: 2 } })
    expect(await see({ label: 'Second', parent: 'p' })).toMatchObject({
      label: 'Second',
      parent: 'p',
      payload: { n: 2 },
    })
    // Back to what it was a moment ago: the cache must not take it for unchanged.
    expect(await see({ payload: { n: 1 } })).toMatchObject({ payload: { n: 1 } })
  })

  it('with an id that could name nothing are left out, and keep no other from being written', async () => {
    const store = remember()
    const id = randomUUID()
    const odd = ['x'.repeat(256), 'a\0b', '', 7 as unknown as string]
    for (const one of odd) store.record(bench.workspace, [{ kind: 'dataset', id: one, label: 'odd' }])
    const payload: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    store.record(bench.workspace, [
      { kind: 'dataset', id, label: 'a\0\ud800', parent: 'x'.repeat(10_000), payload },
      { kind: 'dataset', id: 'y'.repeat(255), label: 'long' },
    ])
    await store.whenIdle()
    expect((await listed(`id=${id}`))[0]).toMatchObject({ parent: null })
    expect(await listed('q=odd')).toEqual([])
    expect(await listed('q=long')).toHaveLength(1)
  })

  it('that the platform deletes are gone, with what they held', async () => {
    const ids = { dataset: randomUUID(), document: randomUUID(), segment: randomUUID(), other: randomUUID() }
    const store = remember()
    store.record(bench.workspace, [
      { kind: 'dataset', id: ids.dataset },
      { kind: 'document', id: ids.document, parent: ids.dataset },
      { kind: 'segment', id: ids.segment, parent: ids.document },
      { kind: 'document', id: ids.other, parent: randomUUID() },
    ])
    await store.whenIdle()
    const path = `/api/keys/${bench.keys.knowledge}/datasets/${ids.dataset}`
    bench.platform.script = (_seen, response) => sendError(response, 403, { message: 'no' })
    expect((await bench.fetch('DELETE', path)).status).toBe(424)
    expect(await listed(`id=${ids.dataset}`)).toHaveLength(1)
    bench.platform.script = (_seen, response) => void response.writeHead(204).end()
    expect((await bench.fetch('DELETE', path)).status).toBe(204)
    for (const id of [ids.dataset, ids.document, ids.segment]) expect(await listed(`id=${id}`)).toEqual([])
    expect(await listed(`id=${ids.other}`)).toHaveLength(1)
    await store.delete(bench.workspace, 'document', [ids.other])
    store.record(bench.workspace, [{ kind: 'document', id: ids.other }])
    await store.whenIdle()
    expect(await listed(`id=${ids.other}`)).toHaveLength(1)
  })

  it('are adopted again at once after another server deleted them', async () => {
    const id = randomUUID()
    const adopt = () => bench.json('POST', '/api/resources', { kind: 'dataset', id, workspace: bench.workspace })
    await adopt()
    await remember().delete(bench.workspace, 'dataset', [id])
    expect(await adopt()).toMatchObject({ id })
  })

  it('give their label to the calls that change them, else that of what holds them', async () => {
    const ids = { dataset: randomUUID(), document: randomUUID(), segment: randomUUID() }
    const store = remember()
    store.record(bench.workspace, [
      { kind: 'dataset', id: ids.dataset, label: 'Lamps' },
      { kind: 'document', id: ids.document, label: 'Lenses.md' },
      { kind: 'segment', id: ids.segment },
    ])
    await store.whenIdle()
    bench.platform.script = (_seen, response) => void response.writeHead(204).end()
    const dataset = `/datasets/${ids.dataset}`
    const paths = [`${dataset}/documents/${ids.document}/segments/${ids.segment}`, dataset, `/datasets/${randomUUID()}`]
    for (const path of paths)
      expect((await bench.fetch('DELETE', `/api/keys/${bench.keys.knowledge}${path}`)).status).toBe(204)
    const data = await bench.list<{ title: string }>('/api/calls?limit=3')
    expect(data.map(({ title }) => title)).toEqual([paths[2], 'Lamps', 'Lenses.md'])
  })

  it('are listed page by page, or from where a page ended, and found by words or by the beginning of an id', async () => {
    const store = remember()
    const parent = randomUUID()
    const ids = Array.from({ length: 25 }, () => randomUUID())
    store.record(
      bench.workspace,
      ids.map((id, index) => ({ kind: 'segment', id, parent, label: `Lantern ${index}` })),
    )
    await store.whenIdle()
    type Page = { data: Resource[]; total: number; total_capped: boolean; next: string | null; has_more: boolean }
    const page = (query: string) =>
      bench.json<Page>('GET', `/api/resources?workspace=${bench.workspace}&kind=segment&parent=${parent}&${query}`)
    const second = await page('limit=10&page=2')
    expect(second).toMatchObject({ total: 25, total_capped: false, has_more: true })
    const first = await page('limit=10')
    const onward = await page(`limit=10&before=${first.next}`)
    expect(onward.data).toEqual(second.data)
    const last = await page(`limit=10&before=${onward.next}`)
    expect([last.data.length, last.next, last.has_more]).toEqual([5, null, false])
    expect(new Set([...first.data, ...onward.data, ...last.data].map(({ id }) => id))).toEqual(new Set(ids))
    expect((await page('q=lantern%2024')).data.map(({ label }) => label)).toEqual(['Lantern 24'])
    expect((await page(`q=${ids[3]?.slice(0, 13)}`)).data.map(({ id }) => id)).toEqual([ids[3]])
    expect((await page('q=%25')).total).toBe(0)
    const beyond = await bench.fetch('GET', '/api/resources?limit=100&page=101')
    expect([beyond.status, await beyond.text()]).toEqual([
      400,
      expect.stringContaining('Pages cover at most 10000 resources.'),
    ])
  })
})
