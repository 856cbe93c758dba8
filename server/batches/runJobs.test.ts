import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Batch, BatchRow } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import { createAnswerIds, openStream, toMessageBlock, toMessageEndBlock } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { createPerson } from '../auth/people.testing.ts'
import { waitForBatch } from './batches.testing.ts'

const testConsole = TestConsole.forFile()
beforeEach(() => {
  testConsole.platform.script = (_request, response) => {
    const ids = createAnswerIds()
    openStream(response)
    response.write(toMessageBlock(ids, 'Because.'))
    response.end(toMessageEndBlock(ids))
  }
})

/** A run that has ended. */
async function createRun(query: string, kind: 'chat' | 'completion' = 'chat'): Promise<string> {
  const id = randomUUID()
  const { keys } = testConsole
  const path = kind === 'chat' ? `${keys.chat}/chat-messages` : `${keys.completion}/completion-messages`
  const body =
    kind === 'chat'
      ? { query, user: 'tester' }
      : { inputs: { text: query }, user: 'tester', response_mode: 'streaming' }
  const headers = { 'run-id': id }
  expect((await testConsole.fetch('POST', `/api/keys/${path}`, body, headers)).status).toBe(200)
  await vi.waitFor(async () => expect(await testConsole.json('GET', `/api/runs/${id}`)).toMatchObject(ENDED))
  return id
}
const ENDED = { status: 'succeeded' }

const toJob = (run_ids: string[], extra: object = {}) => ({
  workspace: testConsole.workspace,
  name: 'To review',
  run_ids,
  action: { kind: 'tag', add: ['to review'] },
  ...extra,
})
const startJob = (...job: Parameters<typeof toJob>) => testConsole.json<Batch>('POST', '/api/run-jobs', toJob(...job))
const tagsOf = async (id: string) => (await testConsole.json<Run>('GET', `/api/runs/${id}`)).tags
const listRows = (id: string) => testConsole.list<BatchRow>(`/api/batches/${id}/rows`)

it('tags many runs on the server, with a result and a link for each, once for one id', async () => {
  const runs = [await createRun('Why?'), await createRun('A text', 'completion')]
  const id = randomUUID()
  const job = await startJob([...runs, runs[0]!], { id })
  expect(job).toMatchObject({ id, kind: 'runs', key: null, entry: null, total: 2, person: 'admin' })
  const ended = await waitForBatch(testConsole, id, 'ended')
  expect(ended.counts).toMatchObject({ succeeded: 2 })
  expect(await listRows(id)).toMatchObject([
    { number: 1, title: 'Why?', run: runs[0], state: 'succeeded', result: 'to review', stop: null },
    { number: 2, title: 'A text', run: runs[1], state: 'succeeded', result: 'to review' },
  ])
  expect(await Promise.all(runs.map(tagsOf))).toEqual([['to review'], ['to review']])
  expect((await testConsole.list<Batch>('/api/batches')).map((batch) => batch.id)).toContain(id)
  expect((await startJob(runs, { id })).state).toBe('ended')
  const file = await (await testConsole.fetch('GET', `/api/batches/${id}/export?format=jsonl`)).text()
  expect(file.trim().split('\n')).toHaveLength(2)
})

it('fails the row of a run that cannot be changed, and goes on', async () => {
  const [gone, full, run] = [await createRun('One'), await createRun('Two'), await createRun('Three')]
  await testConsole.query('UPDATE calls SET tags = $2 WHERE id = $1', [
    full,
    Array.from({ length: 20 }, (_, n) => `${n}`),
  ])
  const { id } = await startJob([run])
  await waitForBatch(testConsole, id, 'ended')
  const next = await startJob([full, run], { action: { kind: 'tag', add: ['v2'], remove: ['to review'] } })
  const ended = await waitForBatch(testConsole, next.id, 'ended')
  expect(ended.counts).toMatchObject({ succeeded: 1, failed: 1 })
  expect(await listRows(next.id)).toMatchObject([
    { state: 'failed', problem: { kind: 'invalid' }, result: null },
    { state: 'succeeded', result: 'v2' },
  ])
  await testConsole.query('DELETE FROM calls WHERE id = $1', [gone])
  expect((await testConsole.fetch('POST', '/api/run-jobs', toJob([gone, run]))).status).toBe(404)
})

it('checks each run against the rights of the person when its turn comes, and hides what they may not see', async () => {
  const { keys, workspace } = testConsole
  const [run, hidden] = [await createRun('Mine'), await createRun('Not mine', 'completion')]
  const person = await createPerson(testConsole, 'operator', [
    [workspace, keys.chat],
    [workspace, keys.completion],
  ])
  // A session remembers for a moment what its person may see.
  const asPerson = async (method: string, path: string, body?: object) =>
    testConsole.fetch(method, path, body, { cookie: await person.begin() })
  const { id } = (await (await asPerson('POST', '/api/run-jobs', toJob([run, hidden]))).json()) as Batch
  await waitForBatch(testConsole, id, 'ended')
  expect(await tagsOf(hidden)).toEqual(['to review'])

  // The job stands before its first row when they lose an app.
  await testConsole.query(`UPDATE calls SET tags = NULL WHERE id = ANY($1)`, [[run, hidden]])
  await testConsole.query(`UPDATE batches SET state = 'paused', pause = 'person' WHERE id = $1`, [id])
  await testConsole.query(`UPDATE batch_rows SET state = 'waiting', run_id = NULL, result = NULL WHERE batch_id = $1`, [
    id,
  ])
  await testConsole.query('DELETE FROM grants WHERE person_id = $1 AND key_id = $2', [person.id, keys.completion])
  expect((await asPerson('POST', `/api/batches/${id}/start`, {})).status).toBe(200)
  const ended = await waitForBatch(testConsole, id, 'ended')
  expect(ended.counts).toMatchObject({ succeeded: 1, failed: 1 })
  expect(await tagsOf(hidden)).toEqual([])
  const { data } = (await (await asPerson('GET', `/api/batches/${id}/rows`)).json()) as { data: BatchRow[] }
  expect(data).toMatchObject([
    { title: 'Mine', run, result: 'to review' },
    { title: hidden, run: null, result: null, problem: { message: 'The run was not found.' } },
  ])
  expect((await asPerson('POST', '/api/run-jobs', toJob([hidden]))).status).toBe(404)

  const stranger = await createPerson(testConsole, 'operator', [[workspace, keys.chat]])
  const viewer = await createPerson(testConsole, 'viewer')
  const statusFor = async ({ cookie: own }: { cookie: string }, method: string, path: string, body?: object) =>
    (await testConsole.fetch(method, path, body, { cookie: own })).status
  expect(await statusFor(stranger, 'GET', `/api/batches/${id}`)).toBe(404)
  expect(await statusFor(viewer, 'POST', '/api/run-jobs', toJob([run]))).toBe(403)
})
