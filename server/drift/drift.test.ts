import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import {
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import type { DriftRow, UnseenPart } from '#contract/console/drift.ts'
import type { Alerts } from '#contract/console/stats.ts'
import { TestConsole } from '../app.testing.ts'
import { DriftRecorder, MAX_DRIFTS_PER_OPERATION } from '../relay/driftRecorder.ts'

const testConsole = TestConsole.forFile()
beforeEach(() => testConsole.database.pool.query('DELETE FROM drifts'))

const DATASET = randomUUID()
const documents = () =>
  testConsole.fetch('GET', `/api/keys/${testConsole.keys.knowledge}/datasets/${DATASET}/documents`)
const parameters = () => testConsole.fetch('GET', `/api/keys/${testConsole.keys.workflow}/parameters`)
const listDrift = (query = '') =>
  testConsole.json<{ data: DriftRow[]; total: number; truncated_operations: string[] }>(
    'GET',
    `/api/drift?workspace=${testConsole.workspace}${query}`,
  )
const listNeverSeen = (query = '') =>
  testConsole.json<{ data: UnseenPart[]; total: number; since: string | null }>(
    'GET',
    `/api/drift/never-seen?workspace=${testConsole.workspace}&limit=100${query}`,
  )
const list = { has_more: false, limit: 20, total: 1, page: 1 }
const answer = (body: unknown, status = 200) => {
  testConsole.platform.script = (_seen, response) => sendError(response, status, body)
}

test('a reply that differs is counted, one row a way, with a sample and when it came', async () => {
  answer({ ...list, data: [{ id: 'd-1', indexing_status: 'dreaming', shelf: { row: 2 }, position: 'first' }] })
  expect((await documents()).status).toBe(200)
  expect((await documents()).status).toBe(200)
  const { data, total } = await listDrift()
  expect(total).toBe(3)
  expect(data.map(({ kind, path, value, count, sample }) => [kind, path, value, count, sample]).sort()).toEqual([
    ['field', 'data[].shelf', null, 2, { row: 2 }],
    ['type', 'data[].position', null, 2, 'first'],
    ['word', 'data[].indexing_status', 'dreaming', 2, 'dreaming'],
  ])
  expect(data[0]).toMatchObject({
    operation: 'documents.list',
    event: null,
    call: null,
    workspace: testConsole.workspace,
  })
  expect((await listDrift('&kind=word')).total).toBe(1)
  expect((await listDrift('&operation=chat.send')).total).toBe(0)
  const { drift } = await testConsole.json<Alerts>('GET', '/api/alerts')
  expect(drift).toMatchObject([{ workspace: testConsole.workspace, count: 2, newest: { operation: 'documents.list' } }])
})

test('notices stand before notes and can be asked for alone; home counts no notes', async () => {
  answer({ ...list, data: [{ id: 'd-1', shelf: null }] })
  await documents()
  expect((await testConsole.json<Alerts>('GET', '/api/alerts')).drift).toEqual([])
  expect((await listDrift()).data).toMatchObject([{ severity: 'note', path: 'data[].shelf', sample: null }])
  answer({ ...list, data: [{ id: 'd-1', indexing_status: 'dreaming', drawer: 1 }] })
  await documents()
  const { data } = await listDrift()
  expect(data.map(({ severity }) => severity)).toEqual(['notice', 'note', 'note'])
  expect(data[0]).toMatchObject({ value: 'dreaming', sample: 'dreaming' })
  expect((await listDrift('&severity=notice')).total).toBe(1)
  expect((await listDrift('&severity=note&limit=1&page=2')).data).toHaveLength(1)
})

test('a stream’s unknown event and field are told with the run that showed them first', async () => {
  const ids = createAnswerIds()
  testConsole.platform.script = (_seen, response) => {
    openStream(response)
    response.write(toMessageBlock(ids, 'Yes.'))
    for (let times = 0; times < 3; times++)
      response.write(toEventBlock({ event: 'mood_changed', mood: 'calm', ...ids }))
    response.end(toMessageEndBlock({ ...ids, shelf: 4 } as typeof ids))
  }
  const run_id = randomUUID()
  await (await testConsole.ask({ response_mode: 'streaming' }, { 'run-id': run_id })).text()
  const { data } = await listDrift()
  expect(data.map(({ kind, event, path, count, call }) => [kind, event, path, count, call]).sort()).toEqual([
    ['event', 'mood_changed', '', 3, run_id],
    ['field', 'message_end', 'shelf', 1, run_id],
  ])
  const missed = await listNeverSeen('&operation=chat.send&kind=event')
  expect(missed.data.map(({ event }) => event)).toContain('workflow_started')
  expect(missed.data.map(({ event }) => event)).not.toContain('message')
})

test('a platform that makes names up fills no table, and says so', async () => {
  for (let page = 0; page < 4; page++) {
    const names = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field_${page}_${at}`, at]))
    answer(names)
    await parameters()
  }
  const { total, truncated_operations } = await listDrift()
  expect(total).toBe(MAX_DRIFTS_PER_OPERATION)
  expect(truncated_operations).toEqual(['workflows.parameters'])
})

test.each([1, -1])('servers lock the same drifts of several workspaces in one order (recorded by %i)', async (by) => {
  const { pool } = testConsole.database
  const workspaces = await Promise.all(
    ['kiln', 'oven', 'pot'].map((name) =>
      testConsole.json<{ id: string }>('POST', '/api/workspaces', { name, base_url: testConsole.platform.url }),
    ),
  )
  const ids = workspaces.map(({ id }) => id).sort()
  const errors: unknown[] = []
  const recorder = new DriftRecorder(pool, (error) => errors.push(error))
  const reply = { ...list, data: [], shelf: 1 }
  // The first is written at once, the others together.
  for (const workspace_id of [testConsole.workspace, ...(by > 0 ? ids : ids.toReversed())])
    recorder.recordReply({ workspace_id, operation: 'documents.list', call_id: null }, 200, reply)
  await recorder.whenIdle()
  const { rows } = await pool.query<{ workspace_id: string }>('SELECT workspace_id FROM drifts ORDER BY ctid')
  expect(rows.slice(1).map(({ workspace_id }) => workspace_id)).toEqual(ids)
  expect(errors).toEqual([])
})

test('what was seen stands in the tables after a restart, and goes with its workspace', async () => {
  answer({ ...list, data: [], shelf: 1 })
  await documents()
  await testConsole.restart()
  expect((await listDrift()).data).toMatchObject([{ path: 'shelf', count: 1 }])
  await documents()
  expect((await listDrift()).data).toMatchObject([{ path: 'shelf', count: 2 }])
  await testConsole.json('DELETE', `/api/workspaces/${testConsole.workspace}`)
  expect((await listDrift()).total).toBe(0)
})
