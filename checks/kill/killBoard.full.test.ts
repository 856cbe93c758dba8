import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type BoardRounds, MAX_BOARD_CELLS } from '#contract/console/boards.ts'
import type { SavedItem } from '#contract/console/savedItems.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { startPostgresql } from '../../server/db/postgresql.testing.ts'
import { addKeys } from './consoleClient.ts'
import { answerBatchRow } from './killBatch.ts'
import { ServerGroup } from './serverGroup.ts'

const ROUNDS_PER_CELL = 5
const ANSWER_MS = 300
/** Rounds that have ended when a server is killed. */
const ENDED_BEFORE_KILLS = [6, 14]

describeWith(requirements.postgresql)('a board of six cells and five rounds', () => {
  it('goes on without a page at another server when its own is killed, and asks each round once', async () => {
    const postgresql = await startPostgresql()
    const platform = await ScriptedPlatform.start()
    platform.script = async ({ path }, response) => {
      if (path.endsWith('/completion-messages')) await wait(ANSWER_MS)
      await answerBatchRow(response)
    }
    const servers = await ServerGroup.start(2, { PLATFORM: 'off', DATABASE_URL: postgresql.url })
    try {
      const { send } = servers
      const { completion } = await addKeys(send, platform.url, ['completion'])
      const { data } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
      const board = await send<SavedItem>('POST', '/api/saved-items', {
        kind: 'board',
        workspace: data[0]?.id,
        name: 'Killed',
        value: { cells: [] },
      })
      const path = `/api/boards/${board.id}/rounds`
      const read = () => send<BoardRounds>('GET', path)
      const countEnded = ({ rounds }: BoardRounds) =>
        rounds.filter(({ state }) => state !== 'waiting' && state !== 'running').length
      platform.requests.length = 0
      await send('POST', path, {
        request_id: randomUUID(),
        mode: 'append',
        pace: 'one_by_one',
        cells: Array.from({ length: MAX_BOARD_CELLS }, (_, index) => ({
          cell: `cell ${index + 1}`,
          key: completion,
          body: { inputs: { text: `cell ${index + 1}` }, user: 'killer', response_mode: 'streaming' },
          rounds: ROUNDS_PER_CELL,
        })),
      })
      for (const [server, ended] of ENDED_BEFORE_KILLS.entries()) {
        await expect.poll(async () => countEnded(await read()), POLL).toBeGreaterThanOrEqual(ended)
        await servers.kill(server)
        await servers.startServer(server)
      }
      await expect.poll(async () => (await read()).state, POLL).toBe('ended')
      const { rounds } = await read()
      expect(rounds).toHaveLength(MAX_BOARD_CELLS * ROUNDS_PER_CELL)
      // A round that was under way at a kill may have reached the platform: it is not asked again.
      expect(rounds.filter(({ state }) => state !== 'succeeded' && state !== 'unknown')).toEqual([])
      const asked = platform.requests.filter(({ path: at }) => at.endsWith('/completion-messages'))
      const askedByCell = Map.groupBy(asked, ({ body }) => (JSON.parse(body) as Asked).inputs.text)
      const endedByCell = Map.groupBy(rounds, ({ cell }) => cell)
      for (const [cell, ended] of endedByCell) {
        const succeeded = ended.filter(({ state }) => state === 'succeeded').length
        const times = askedByCell.get(cell)?.length ?? 0
        expect([cell, times >= succeeded, times <= ended.length]).toEqual([cell, true, true])
      }
      expect(new Set(rounds.map(({ run }) => run)).size).toBe(rounds.length)
    } finally {
      await servers.remove()
      await platform.close()
      await postgresql.stop()
    }
  })
})

interface Asked {
  inputs: { text: string }
}

const POLL = { timeout: 60_000, interval: 50 }
