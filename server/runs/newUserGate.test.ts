import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import { DoubledUsers } from '#support/platforms/doubledUsers.ts'
import { TestConsole } from '../app.testing.ts'
import { waitForBatch } from '../batches/batches.testing.ts'

const bench = TestConsole.forFile()
let users: DoubledUsers
beforeEach(() => {
  users = new DoubledUsers()
  bench.platform.script = users.script
})

const ask = async (user: string, run_id: string = randomUUID()) => {
  const body = { query: 'Why?', user, inputs: {}, response_mode: 'streaming' }
  await (await bench.fetch('POST', `/api/keys/${bench.keys.chat}/chat-messages`, body, { 'run-id': run_id })).text()
  return bench.json<Run>('GET', `/api/runs/${run_id}`)
}

describe('the first runs of a new user', () => {
  it('at the same moment make one user on the platform, which has all conversations', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => ask('mira')))
    expect(users.countUsers('mira')).toBe(1)
    for (const { conversation_id } of runs) {
      const path = `/api/keys/${bench.keys.chat}/messages?user=mira&conversation_id=${conversation_id}`
      expect((await bench.fetch('GET', path)).status).toBe(200)
    }
  })

  it('of a batch make one user on the platform', async () => {
    const { id } = await bench.json<Batch>('POST', '/api/batches', {
      kind: 'run',
      key: bench.keys.chat,
      name: 'Questions',
      total: 6,
      settings: { user: 'batch user', response_mode: 'streaming' },
      at_once: 4,
    })
    const rows = Array.from({ length: 6 }, () => ({ inputs: {}, turns: ['Why?'] }))
    await bench.json('POST', `/api/batches/${id}/rows`, { first: 1, rows })
    await bench.json('POST', `/api/batches/${id}/start`, {})
    await waitForBatch(bench, id, 'ended')
    expect(users.received).toHaveLength(6)
    expect(users.countUsers('batch user')).toBe(1)
  })

  it('do not wait for those of another user, nor for one that did not arrive', async () => {
    const { script } = users
    let isBroken = true
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>()
    bench.platform.script = async (seen, response) => {
      if (seen.body.includes('held')) await isHeld
      if (seen.body.includes('broken') && isBroken) return void response.destroy()
      return script(seen, response)
    }
    const held = ask('held')
    expect((await ask('another')).status).toBe('succeeded')
    release()
    expect((await held).status).toBe('succeeded')
    expect((await ask('broken')).status).not.toBe('succeeded')
    isBroken = false
    const runs = await Promise.all([ask('broken'), ask('broken')])
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  })
})
