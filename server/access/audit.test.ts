import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AuditEvent } from '#contract/access.ts'
import { Bench } from '../app.testing.ts'
import { verifyAudit } from './audit.ts'

let bench: Bench
let seen = 0
beforeAll(async () => {
  bench = await Bench.start()
  await news()
})
afterAll(() => bench.remove())

/** What was written down since the last look, oldest first. */
async function news(): Promise<AuditEvent[]> {
  const { data } = await bench.json<{ data: AuditEvent[] }>('GET', '/api/audit?limit=200')
  const fresh = data.filter(({ seq }) => seq > seen).reverse()
  seen = data[0]?.seq ?? seen
  return fresh
}

it('of a workspace and its keys: made, changed, deleted, with no value of a key', async () => {
  const value = 'sk-audit-7d1e5b20c4f3-abcd'
  const { id } = await bench.json<{ id: string }>('POST', '/api/workspaces', {
    name: 'Quay',
    base_url: bench.platform.url,
  })
  const at = `/api/workspaces/${id}`
  const key = await bench.json<{ id: string }>('POST', `${at}/keys`, { kind: 'chat', label: 'Lamp', key: value })
  await bench.json('PATCH', `${at}/keys/${key.id}`, { label: 'Lantern' })
  await bench.json('PATCH', `${at}/keys/${key.id}`, { key: `${value}-new` })
  await bench.json('PATCH', at, { name: 'Pier' })
  await bench.json('PATCH', at, { base_url: 'http://127.0.0.1:9/v1' })
  await bench.json('DELETE', `${at}/keys/${key.id}`)
  await bench.json('DELETE', at)
  const told = await news()
  expect(told.map(({ action, label, detail }) => [action, label, detail])).toEqual([
    ['workspace.created', 'Quay', { base_url: expect.stringContaining(bench.platform.url) as string }],
    ['key.created', 'Lamp', { kind: 'chat', hint: 'abcd' }],
    ['key.renamed', 'Lantern', { hint: 'abcd' }],
    ['key.replaced', 'Lantern', { hint: '-new' }],
    ['workspace.changed', 'Quay', { name: 'Pier' }],
    ['workspace.changed', 'Pier', { base_url: 'http://127.0.0.1:9/v1', keys: 'wiped' }],
    ['key.deleted', 'Lantern', { kind: 'chat', hint: null }],
    ['workspace.deleted', 'Pier', null],
  ])
  expect(new Set(told.map(({ workspace }) => workspace))).toEqual(new Set([id]))
  expect(told.every(({ person, address }) => person === 'admin' && address !== null)).toBe(true)
  expect(JSON.stringify(told)).not.toContain(value)
})

it('of the master key, of retention and a purge, and of what is taken out as a file', async () => {
  await bench.json('POST', '/api/vault/renew')
  const retention = `/api/workspaces/${bench.workspace}/retention`
  await bench.json('PATCH', retention, { keep_days: 30 })
  const before = '2026-01-01T00:00:00.000Z'
  await bench.json('POST', `/api/workspaces/${bench.workspace}/purge`, { before })
  await (await bench.fetch('GET', `/api/calls/export?format=csv&workspace=${bench.workspace}`)).text()
  const batch = await bench.json<{ id: string }>('POST', '/api/batches', {
    kind: 'annotations',
    name: 'Nine lamps',
    key: bench.keys.chat,
    total: 1,
  })
  await (await bench.fetch('GET', `/api/batches/${batch.id}/export?format=jsonl`)).text()
  expect((await news()).map(({ action, workspace, label, detail }) => [action, workspace, label, detail])).toEqual([
    ['master.renewed', null, null, { sealed: 4 }],
    [
      'retention.changed',
      bench.workspace,
      null,
      { from: { keep_days: null, keep_megabytes: null }, to: { keep_days: 30, keep_megabytes: null } },
    ],
    ['retention.purged', bench.workspace, null, { before }],
    ['export.calls', bench.workspace, null, { format: 'csv', workspace: bench.workspace }],
    ['export.batch', bench.workspace, 'Nine lamps', { format: 'jsonl' }],
  ])
})

it('of nothing that did not happen', async () => {
  const nowhere = '00000000-0000-4000-8000-000000000000'
  for (const [method, path, body] of [
    ['PATCH', `/api/workspaces/${nowhere}`, { name: 'Nobody' }],
    ['DELETE', `/api/workspaces/${nowhere}`, undefined],
    ['DELETE', `/api/workspaces/${bench.workspace}/keys/${nowhere}`, undefined],
    ['PATCH', `/api/workspaces/${bench.workspace}/keys/${nowhere}`, { label: 'Nobody' }],
    ['GET', `/api/batches/${nowhere}/export?format=csv`, undefined],
  ] as const)
    expect((await bench.fetch(method, path, body)).status, path).toBe(404)
  expect(await news()).toEqual([])
  expect(await verifyAudit(bench.database.pool, await bench.console.vault.sealing.auditKeys())).toMatchObject({
    wrong: null,
  })
})
