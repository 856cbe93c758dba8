import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import type { ServerList } from '#contract/console/servers.ts'
import { TestConsole } from '../app.testing.ts'

const list = (server: TestConsole) => server.json<ServerList>('GET', '/api/servers')

describe('the list of servers', () => {
  it('of the embedded database has the one that answers, and none of its earlier processes', async () => {
    const server = await TestConsole.start()
    await server.database.pool.query(
      `INSERT INTO servers(id, seen_at, version) VALUES ($1, now() - interval '5 minutes', '0.0.0'), ($2, now(), '0.0.0')`,
      [randomUUID(), randomUUID()],
    )
    const { database, data, setting_differences } = await list(server)
    expect([database, data.length, setting_differences]).toEqual(['embedded', 1, []])
    const address = server.url.replace('http://', '')
    const found = { is_this: true, state: 'ready', version: '0.0.0', hostname: hostname(), address }
    expect(data[0]).toMatchObject({ ...found, heartbeat_age_ms: 0, active_runs: 0, open_streams: 0 })
    await server.remove()
  })
})

describeWith(requirements.postgresql)('servers that share a PostgreSQL', () => {
  const { one, other } = TestConsole.pairForFile(() => ({ MASTER_KEY: 'ab'.repeat(32) }))

  it('are listed by each of them, itself first', async () => {
    await vi.waitFor(async () => expect((await list(one)).data[1]?.address).not.toBeNull())
    const [seenByOne, seenByOther] = [await list(one), await list(other)]
    expect(seenByOne).toMatchObject({ database: 'postgresql', setting_differences: [] })
    expect(seenByOne.data.map(({ state, is_this, address }) => ({ state, is_this, address }))).toEqual([
      { state: 'ready', is_this: true, address: one.url.replace('http://', '') },
      { state: 'ready', is_this: false, address: other.url.replace('http://', '') },
    ])
    expect(seenByOther.data.map(({ id }) => id)).toEqual(seenByOne.data.map(({ id }) => id).reverse())
  })

  it('show one that stopped without a word, one that drains, and one of an earlier release', async () => {
    const [killed, draining, earlier, forgotten] = Array.from({ length: 4 }, () => randomUUID())
    await one.query(
      `INSERT INTO servers(id, seen_at, state, version, settings) VALUES
       ($1, now() - interval '1 minute', 'ready', '0.0.0', '{"gone":{"PUBLIC_URL":"other"}}'),
       ($2, now(), 'draining', '0.0.0', null),
       ($3, now() - interval '2 hours', 'ready', '0.0.0', null)`,
      [killed, draining, forgotten],
    )
    await one.query('INSERT INTO servers(id, seen_at) VALUES ($1, now())', [earlier])
    const { data, setting_differences } = await list(one)
    const find = (id: string | undefined) => data.find((server) => server.id === id)
    expect(find(killed)?.state).toBe('not_responding')
    expect(find(killed)?.heartbeat_age_ms).toBeGreaterThanOrEqual(60_000)
    expect(find(draining)).toMatchObject({ state: 'draining' })
    expect(find(earlier)).toMatchObject({ state: 'ready', version: null, hostname: null, started_at: null })
    expect(find(forgotten)).toBeUndefined()
    expect(setting_differences).toEqual([])
    await one.query('DELETE FROM servers WHERE id = ANY($1)', [[killed, draining, earlier, forgotten]])
  })
})
