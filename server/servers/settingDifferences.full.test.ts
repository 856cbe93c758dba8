import { expect, it, vi } from 'vitest'
import type { ServerList } from '#contract/console/servers.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { TestConsole } from '../app.testing.ts'

describeWith(requirements.postgresql)('servers that share a PostgreSQL', () => {
  const OTHER_TOKEN = 'another-setup-token-of-the-tests'
  const { one, other } = TestConsole.pairForFile(() => ({ MASTER_KEY: 'ab'.repeat(32) }))
  const readReadiness = async (server: TestConsole) => (await server.fetch('GET', '/readyz')).json()

  it('say which settings differ, on which of them, and never their values', async () => {
    await other.restart({ ...one.settings, RATE_LIMIT_FACTOR: '7', LOG_LEVEL: 'debug', METRICS_TOKEN: OTHER_TOKEN })
    const { data, setting_differences } = await one.json<ServerList>('GET', '/api/servers')
    const [first, second] = data.map(({ id }) => id)
    const groups = [[first], [second]]
    expect(setting_differences.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'METRICS_TOKEN', groups },
      { name: 'RATE_LIMIT_FACTOR', groups },
    ])
    for (const server of [one, other])
      await vi.waitFor(async () =>
        expect(await readReadiness(server)).toEqual({
          ready: true,
          settings_differ: ['RATE_LIMIT_FACTOR', 'METRICS_TOKEN'],
        }),
      )
    expect(one.log).toContain('settings differ from those of other servers')
    const rows = await one.query('SELECT * FROM servers')
    expect(JSON.stringify(rows)).toContain('"METRICS_TOKEN"')
    expect(JSON.stringify([rows, data])).not.toContain(OTHER_TOKEN)

    await other.restart(one.settings)
    await vi.waitFor(async () => expect(await readReadiness(one)).toEqual({ ready: true }))
  })
})
