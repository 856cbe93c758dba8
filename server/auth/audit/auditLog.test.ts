import { beforeAll, expect, it } from 'vitest'
import type { AuditEvent } from '#contract/console/people.ts'
import { TestConsole } from '../../app.testing.ts'
import { verifyAudit } from './auditLog.ts'

const testConsole = TestConsole.forFile()
const verify = async () =>
  verifyAudit(testConsole.database.pool, await testConsole.console.vault.encryption.auditKeys())
let lastSeq = 0
beforeAll(async () => {
  await readNewEntries()
})

/** What was written down since the last look, oldest first. */
async function readNewEntries(): Promise<AuditEvent[]> {
  const data = await testConsole.list<AuditEvent>('/api/audit?limit=200')
  const fresh = data.filter(({ seq }) => seq > lastSeq).reverse()
  lastSeq = data[0]?.seq ?? lastSeq
  return fresh
}

it('of a workspace and its keys: made, changed, deleted, with no value of a key', async () => {
  const value = 'sk-audit-7d1e5b20c4f3-abcd'
  const { id } = await testConsole.json<{ id: string }>('POST', '/api/workspaces', {
    name: 'Quay',
    base_url: testConsole.platform.url,
  })
  const at = `/api/workspaces/${id}`
  const key = await testConsole.json<{ id: string }>('POST', `${at}/keys`, { kind: 'chat', label: 'Lamp', key: value })
  await testConsole.json('PATCH', `${at}/keys/${key.id}`, { label: 'Lantern' })
  await testConsole.json('PATCH', `${at}/keys/${key.id}`, { key: `${value}-new` })
  await testConsole.json('PATCH', `${at}/keys/${key.id}`, { key: 'too-short-for-one' })
  await testConsole.json('PATCH', at, { name: 'Pier' })
  await testConsole.json('PATCH', at, { base_url: 'http://127.0.0.1:9/v1' })
  await testConsole.json('DELETE', `${at}/keys/${key.id}`)
  await testConsole.json('DELETE', at)
  const entries = await readNewEntries()
  expect(entries.map(({ action, label, detail }) => [action, label, detail])).toEqual([
    ['workspace.created', 'Quay', { base_url: expect.stringContaining(testConsole.platform.url) as string }],
    ['key.created', 'Lamp', { kind: 'chat', hint: 'abcd' }],
    ['key.renamed', 'Lantern', { hint: 'abcd' }],
    ['key.replaced', 'Lantern', { hint: '-new' }],
    ['key.replaced', 'Lantern', { hint: null }],
    ['workspace.changed', 'Quay', { name: 'Pier' }],
    ['workspace.changed', 'Pier', { base_url: 'http://127.0.0.1:9/v1', keys: 'wiped' }],
    ['key.deleted', 'Lantern', { kind: 'chat', hint: null }],
    ['workspace.deleted', 'Pier', null],
  ])
  expect(new Set(entries.map(({ workspace }) => workspace))).toEqual(new Set([id]))
  expect(entries.every(({ person, address }) => person === 'admin' && address !== null)).toBe(true)
  expect(JSON.stringify(entries)).not.toContain(value)
})

it('of the master key, of retention and a purge, and of what is taken out as a file', async () => {
  await testConsole.json('POST', '/api/vault/renew')
  const retention = `/api/workspaces/${testConsole.workspace}/retention`
  await testConsole.json('PATCH', retention, { keep_days: 30 })
  const sizes = { keep_megabytes: null, keep_file_megabytes: 2_147 }
  const before = '2026-01-01T00:00:00.000Z'
  await testConsole.json('POST', `/api/workspaces/${testConsole.workspace}/purge`, { before })
  await testConsole.json('POST', `/api/workspaces/${testConsole.workspace}/purge`, { before, end_user: 'ada' })
  await (await testConsole.fetch('GET', `/api/calls/export?format=csv&workspace=${testConsole.workspace}`)).text()
  const batch = await testConsole.json<{ id: string }>('POST', '/api/batches', {
    kind: 'annotations',
    name: 'Nine lamps',
    key: testConsole.keys.chat,
    total: 1,
  })
  await (await testConsole.fetch('GET', `/api/batches/${batch.id}/export?format=jsonl`)).text()
  expect(
    (await readNewEntries()).map(({ action, workspace, label, detail }) => [action, workspace, label, detail]),
  ).toEqual([
    ['master.renewed', null, null, { sealed: 4 }],
    [
      'retention.changed',
      testConsole.workspace,
      null,
      { from: { keep_days: null, ...sizes }, to: { keep_days: 30, ...sizes } },
    ],
    ['retention.purged', testConsole.workspace, null, { before }],
    ['retention.purged', testConsole.workspace, null, { before, end_user: 'ada' }],
    ['export.calls', testConsole.workspace, null, { format: 'csv', workspace: testConsole.workspace }],
    ['export.batch', testConsole.workspace, 'Nine lamps', { format: 'jsonl' }],
  ])
})

it('of nothing that did not happen', async () => {
  const nowhere = '00000000-0000-4000-8000-000000000000'
  for (const [method, path, body] of [
    ['PATCH', `/api/workspaces/${nowhere}`, { name: 'Nobody' }],
    ['DELETE', `/api/workspaces/${nowhere}`, undefined],
    ['DELETE', `/api/workspaces/${testConsole.workspace}/keys/${nowhere}`, undefined],
    ['PATCH', `/api/workspaces/${testConsole.workspace}/keys/${nowhere}`, { label: 'Nobody' }],
    ['GET', `/api/batches/${nowhere}/export?format=csv`, undefined],
  ] as const)
    expect((await testConsole.fetch(method, path, body)).status, path).toBe(404)
  expect(await readNewEntries()).toEqual([])
  expect(await verify()).toMatchObject({ firstInvalidRow: null })
})

it('whose rows are proven whatever the order of the fields in an object, and not once a value has changed', async () => {
  await testConsole.json('PATCH', `/api/workspaces/${testConsole.workspace}/retention`, { keep_days: 30 })
  const rows = await testConsole.query<{ seq: string; detail: Record<string, object> }>(
    `SELECT seq, detail FROM audit WHERE action = 'retention.changed'`,
  )
  const { seq, detail } = rows[0] ?? { seq: '', detail: {} }
  const write = (changed: object) =>
    testConsole.query('UPDATE audit SET detail = $2 WHERE seq = $1', [seq, JSON.stringify(changed)])
  const turned = (value: object): object =>
    Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, one]: [string, unknown]) => [name, typeof one === 'object' && one ? turned(one) : one]),
    )
  expect(JSON.stringify(turned(detail))).not.toBe(JSON.stringify(detail))
  await testConsole.query('ALTER TABLE audit DISABLE TRIGGER audit_append_only')
  await write(turned(detail))
  expect(await verify()).toMatchObject({ firstInvalidRow: null, unproven: [] })
  await write({ ...detail, to: {} })
  expect(await verify()).toMatchObject({ firstInvalidRow: { seq: Number(seq) } })
})
