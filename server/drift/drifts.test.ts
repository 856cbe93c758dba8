import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { block, message, messageEnd, newIds, openStream, refuse } from '../../e2e/faults/platform.ts'
import type { DriftRow, NeverRow } from '#contract/drifts.ts'
import type { Attention } from '#contract/figures.ts'
import { Bench } from '../app.testing.ts'
import { MOST } from './drifts.ts'

let bench: Bench
beforeAll(async () => {
  bench = await Bench.start()
})
afterAll(() => bench.remove())
beforeEach(() => bench.database.pool.query('DELETE FROM drifts'))

const DATASET = randomUUID()
const documents = () => bench.fetch('GET', `/api/keys/${bench.keys.knowledge}/datasets/${DATASET}/documents`)
const parameters = () => bench.fetch('GET', `/api/keys/${bench.keys.workflow}/parameters`)
const listed = (query = '') =>
  bench.json<{ data: DriftRow[]; total: number; full: string[] }>(
    'GET',
    `/api/drift?workspace=${bench.workspace}${query}`,
  )
const never = (query = '') =>
  bench.json<{ data: NeverRow[]; total: number; since: string | null }>(
    'GET',
    `/api/drift/never-seen?workspace=${bench.workspace}&limit=100${query}`,
  )
const list = { has_more: false, limit: 20, total: 1, page: 1 }
const answer = (body: unknown, status = 200) => {
  bench.platform.script = (_seen, response) => refuse(response, status, body)
}

test('a reply that differs is counted, one row a way, with a sample and when it came', async () => {
  answer({ ...list, data: [{ id: 'd-1', indexing_status: 'dreaming', shelf: { row: 2 }, position: 'first' }] })
  expect((await documents()).status).toBe(200)
  expect((await documents()).status).toBe(200)
  const { data, total } = await listed()
  expect(total).toBe(3)
  expect(data.map(({ kind, path, value, count, sample }) => [kind, path, value, count, sample]).sort()).toEqual([
    ['field', 'data[].shelf', null, 2, { row: 2 }],
    ['type', 'data[].position', null, 2, 'first'],
    ['word', 'data[].indexing_status', 'dreaming', 2, 'dreaming'],
  ])
  expect(data[0]).toMatchObject({ operation: 'documents.list', event: null, call: null, workspace: bench.workspace })
  expect((await listed('&kind=word')).total).toBe(1)
  expect((await listed('&operation=chat.send')).total).toBe(0)
  const { drift } = await bench.json<Attention>('GET', '/api/attention')
  expect(drift).toMatchObject([{ workspace: bench.workspace, count: 3, newest: { operation: 'documents.list' } }])
})

test('a stream’s unknown event and field are told with the run that showed them first', async () => {
  const ids = newIds()
  bench.platform.script = (_seen, response) => {
    openStream(response)
    response.write(message(ids, 'Yes.'))
    for (let times = 0; times < 3; times++) response.write(block({ event: 'mood_changed', mood: 'calm', ...ids }))
    response.end(messageEnd({ ...ids, shelf: 4 } as typeof ids))
  }
  const run_id = randomUUID()
  await (await bench.ask({ response_mode: 'streaming' }, { 'run-id': run_id })).text()
  const { data } = await listed()
  expect(data.map(({ kind, event, path, count, call }) => [kind, event, path, count, call]).sort()).toEqual([
    ['event', 'mood_changed', '', 3, run_id],
    ['field', 'message_end', 'shelf', 1, run_id],
  ])
  const missed = await never('&operation=chat.send&kind=event')
  expect(missed.data.map(({ event }) => event)).toContain('workflow_started')
  expect(missed.data.map(({ event }) => event)).not.toContain('message')
})

test('an unexpected status and the shape of an error are drift, an ordinary refusal and the key in it are not', async () => {
  answer({ code: 'not_found', message: 'No.', status: 404 }, 404)
  await documents()
  expect((await listed()).total).toBe(0)
  answer({ error: `not with ${bench.sentinel}-knowledge` }, 418)
  await documents()
  const { data } = await listed()
  expect(data.map(({ kind, path, value }) => [kind, path, value]).sort()).toEqual([
    ['error', 'code', 'missing'],
    ['error', 'error', 'field'],
    ['error', 'message', 'missing'],
    ['status', '', '418'],
  ])
  expect(JSON.stringify(data)).not.toContain(bench.sentinel)
})

test('what a platform of the real dialect sends is sensible drift, and what it never sends is told', async () => {
  answer({
    ...list,
    data: [{ id: 'd-1', name: 'a', doc_metadata: null, need_summary: false, data_source_type: 'local_file' }],
  })
  await documents()
  const { data } = await listed()
  expect(data.map(({ kind, value }) => [kind, value])).toEqual([['word', 'local_file']])
  const missed = await never('&operation=documents.list')
  expect(missed.since).not.toBeNull()
  expect(missed.data).toContainEqual({
    operation: 'documents.list',
    kind: 'field',
    event: null,
    path: 'data[].hit_count',
    value: null,
  })
  const whole = await never('&kind=operation')
  expect(whole.data.map(({ operation }) => operation)).toContain('segments.updateChildChunk')
  expect(whole.data.map(({ operation }) => operation)).not.toContain('documents.list')
  // An operation beyond the interface is nothing that a platform should have.
  expect(whole.data.filter(({ operation }) => operation.startsWith('adjacent.'))).toEqual([])
})

test('a platform that makes names up fills no table, and says so', async () => {
  for (let page = 0; page < 4; page++) {
    const names = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field_${page}_${at}`, at]))
    answer(names)
    await parameters()
  }
  const { total, full } = await listed()
  expect(total).toBe(MOST)
  expect(full).toEqual(['workflows.parameters'])
})

test('what was seen stands in the tables after a restart, and goes with its workspace', async () => {
  answer({ ...list, data: [], shelf: 1 })
  await documents()
  await bench.shut()
  await bench.open()
  expect((await listed()).data).toMatchObject([{ path: 'shelf', count: 1 }])
  await documents()
  expect((await listed()).data).toMatchObject([{ path: 'shelf', count: 2 }])
  await bench.json('DELETE', `/api/workspaces/${bench.workspace}`)
  expect((await listed()).total).toBe(0)
})
