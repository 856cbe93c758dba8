import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { DoubledUsers } from '#support/platforms/doubledUsers.ts'
import { TestConsole } from '../app.testing.ts'

const bench = TestConsole.forFile()

it('a chatflow whose runs pause for a form is streamed where a page asks for a blocking run, and as asked where a script does', async () => {
  const users = new DoubledUsers()
  bench.platform.script = users.script
  const run = async (origin: Record<string, string>) => {
    const id = randomUUID()
    const body = { query: 'Why?', user: 'mira', inputs: {}, response_mode: 'blocking' }
    const headers = { 'run-id': id, ...origin }
    await (await bench.fetch('POST', `/api/keys/${bench.keys.chat}/chat-messages`, body, headers)).text()
    await expect.poll(async () => (await bench.json<Run>('GET', `/api/runs/${id}`)).status).toBe('succeeded')
    return (await bench.json<Run>('GET', `/api/runs/${id}`)).response_mode
  }
  expect(await run({ 'run-origin': 'chat' })).toBe('blocking')
  await bench.query(
    `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at)
     VALUES ($1, 'adjacent.submitForm', 'succeeded', $2, $3, now())`,
    [randomUUID(), bench.workspace, bench.keys.chat],
  )
  expect(await run({ 'run-origin': 'chat' })).toBe('streaming')
  expect(await run({})).toBe('blocking')
  expect(users.received.map(({ response_mode }) => response_mode)).toEqual(['blocking', 'streaming', 'blocking'])
})
