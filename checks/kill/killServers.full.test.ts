import { expect, it } from 'vitest'
import type { Workspace } from '#contract/console/workspaces.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { ServerGroup } from './serverGroup.ts'
import { killServers } from './killServers.ts'

describeWith(requirements.postgresql)('several servers on one PostgreSQL', () => {
  it('three servers on one PostgreSQL that are killed in turn show each frame once, send nothing twice, and end each run', async () => {
    const postgresql = await startPostgresql()
    try {
      const { cycles, batch, batchProblems } = await killServers({
        servers: 3,
        kills: 3,
        streams: 24,
        rows: 1_000,
        url: postgresql.url,
      })
      expect([...cycles.flatMap(({ problems }) => problems), ...batchProblems]).toEqual([])
      expect(batch.succeeded + batch.unknown).toBe(1_000)
      // It was in the middle of it: streams went on elsewhere, and what a server had at its death broke off.
      expect(cycles.reduce((sum, { resumeCount }) => sum + resumeCount, 0)).toBeGreaterThan(0)
      expect(cycles.reduce((sum, { ends }) => sum + (ends.interrupted ?? 0), 0)).toBeGreaterThan(0)
    } finally {
      await postgresql.stop()
    }
  })

  it('two servers that start together make one built-in workspace, and each answers from its own platform, also when the other is dead', async () => {
    const postgresql = await startPostgresql()
    const crowd = await ServerGroup.start(2, { DATABASE_URL: postgresql.url })
    try {
      const { data } = await crowd.send<{ data: Workspace[] }>('GET', '/api/workspaces')
      expect(data).toMatchObject([{ builtin: true }])
      const keys = data[0]?.keys.filter(({ label }) => label === 'Handbook assistant') ?? []
      expect(keys).toHaveLength(1)
      const ask = async (url: string) => {
        const body = { query: 'What is Loupe?', user: 'tester', response_mode: 'blocking', inputs: {} }
        const response = await crowd.fetch(url, 'POST', `/api/keys/${keys[0]?.id}/chat-messages`, body)
        return {
          status: response.status,
          reply: (await response.json()) as { answer?: string; conversation_id?: string },
        }
      }
      const [one, other] = [crowd.url(), crowd.url()]
      expect(other).not.toBe(one)
      for (const url of [one, other]) expect(await ask(url)).toMatchObject({ status: 200 })
      // An audited change, which waits for no platform.
      const made = { name: 'Elsewhere', base_url: 'http://127.0.0.1:9/v1' }
      expect((await crowd.fetch(other, 'POST', '/api/workspaces', made)).status).toBeLessThan(300)
      await crowd.kill(0)
      expect(await ask(crowd.url())).toMatchObject({ status: 200 })
    } finally {
      await crowd.remove()
      await postgresql.stop()
    }
  })
})
