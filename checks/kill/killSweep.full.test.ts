import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Sweep } from '#contract/console/experiments/sweeps.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { Suite } from '#contract/console/suites.ts'
import { ScriptedPlatform, sendError } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { addKeys } from './consoleClient.ts'
import { ServerGroup } from './serverGroup.ts'

const SETTING_COUNT = 20
const DRY_RUN_MS = 200
/** Settings that have ended when a server is killed. */
const ENDED_BEFORE_KILLS = [4, 10]

describeWith(requirements.postgresql)('a sweep over settings', () => {
  it('goes on at another server when its own is killed, and tries each setting once', async () => {
    const postgresql = await startPostgresql()
    const platform = await ScriptedPlatform.start()
    platform.script = async ({ path, body }, response) => {
      // The key is probed for what its platform offers.
      if (path.includes('/datasets?')) return sendError(response, 200, { data: [], has_more: false, total: 0 })
      if (!path.endsWith('/dry-run')) return sendError(response, 404, { code: 'not_found', status: 404 })
      const { queries } = JSON.parse(body || '{}') as { queries?: string[] }
      if (!queries) return sendError(response, 405, { code: 'method_not_allowed', status: 405 })
      await wait(DRY_RUN_MS)
      sendError(response, 200, {
        results: queries.map((query) => ({ query, records: [], search_method: 'keyword_search' })),
      })
    }
    const servers = await ServerGroup.start(2, { PLATFORM: 'off', DATABASE_URL: postgresql.url })
    try {
      const { send } = servers
      await addKeys(send, platform.url, ['knowledge'])
      const { data } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
      const suite = await send<Suite>('POST', '/api/suites', {
        workspace: data[0]?.id,
        name: 'Killed',
        target: 'retrieval',
        about: randomUUID(),
        cases: [{ input: { query: 'Why?' }, expected: { segments: [{ id: randomUUID() }] } }],
      })
      const path = `/api/suites/${suite.id}/sweeps`
      const readSweep = async () => (await send<{ sweep: Sweep }>('GET', `${path}/last`)).sweep
      const settings = Array.from({ length: SETTING_COUNT }, (_, index) => ({ retrieval_model: { top_k: index + 1 } }))
      platform.requests.length = 0
      await send('POST', path, { id: randomUUID(), settings })
      for (const [server, ended] of ENDED_BEFORE_KILLS.entries()) {
        await expect.poll(async () => (await readSweep()).batch.counts.succeeded, POLL).toBeGreaterThanOrEqual(ended)
        await servers.kill(server)
        await servers.startServer(server)
      }
      await expect.poll(async () => (await readSweep()).batch.state, POLL).toBe('ended')
      expect((await readSweep()).batch.counts).toMatchObject({ succeeded: SETTING_COUNT })
      const asked = Map.groupBy(
        platform.requests.filter(({ path: at }) => at.endsWith('/dry-run')),
        ({ body }) => body,
      )
      expect(asked.size).toBe(SETTING_COUNT)
      // Only a setting that was being tried when its server was killed is tried again.
      const again = [...asked.values()].filter((requests) => requests.length > 1)
      expect(again.length).toBeLessThanOrEqual(ENDED_BEFORE_KILLS.length)
      expect(again.every((requests) => requests.length === 2)).toBe(true)
    } finally {
      await servers.remove()
      await platform.close()
      await postgresql.stop()
    }
  })
})

const POLL = { timeout: 60_000, interval: 50 }
