import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { Batch, BatchRow } from '#contract/console/batches.ts'
import type { Call } from '#contract/console/calls.ts'
import { sendError, type RecordedRequest } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { waitForBatch } from './batches.testing.ts'

const testConsole = TestConsole.forFile()
let createdAnnotations: { id: string; question: string; answer: string; hit_count: number; created_at: number }[] = []
beforeEach(() => {
  createdAnnotations = []
  testConsole.platform.requests.length = 0
  testConsole.platform.script = (seen, response) => {
    if (seen.method === 'GET')
      return sendError(response, 200, { data: createdAnnotations, has_more: false, total: createdAnnotations.length })
    sendError(response, 201, storeAnnotation(seen))
  }
})

const storeAnnotation = ({ body }: RecordedRequest) => {
  const { question, answer } = JSON.parse(String(body)) as { question: string; answer: string }
  const record = { id: randomUUID(), question, answer, hit_count: 0, created_at: Math.floor(Date.now() / 1000) }
  createdAnnotations.push(record)
  return record
}
const pairs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ question: `Question ${index + 1}?`, answer: `Answer ${index + 1}.` }))
const createBatch = async (rows: object[], given: object = {}): Promise<string> => {
  const body = { kind: 'annotations', key: testConsole.keys.chat, name: 'Pairs', total: rows.length, ...given }
  const { id } = await testConsole.json<Batch>('POST', '/api/batches', body)
  await testConsole.json('POST', `/api/batches/${id}/rows`, { first: 1, rows: rows.map((inputs) => ({ inputs })) })
  return id
}
const start = (id: string) => testConsole.json('POST', `/api/batches/${id}/start`, {})
const listRows = async (id: string) => await testConsole.list<BatchRow>(`/api/batches/${id}/rows`)

it('creates one annotation a row, each a call of the ledger and a thing, and brings them back as a file', async () => {
  const id = await createBatch(pairs(30), { omitted: { invalid: 3, duplicate: 1 } })
  await start(id)
  const batch = await waitForBatch(testConsole, id, 'ended')
  expect(batch).toMatchObject({
    kind: 'annotations',
    entry: 'annotations.create',
    settings: null,
    omitted: { invalid: 3, duplicate: 1 },
    counts: { succeeded: 30 },
  })
  expect(createdAnnotations.map(({ question }) => question).sort()).toEqual(
    pairs(30)
      .map(({ question }) => question)
      .sort(),
  )
  const [row] = await listRows(id)
  const first = createdAnnotations.find(({ question }) => question === 'Question 1?')
  expect(row).toMatchObject({ state: 'succeeded', result: first?.id, title: expect.stringContaining('Question 1?') })
  expect(await testConsole.json<Call>('GET', `/api/calls/${row?.run}`)).toMatchObject({
    entry: 'annotations.create',
    title: 'Question 1?',
    note: 'Pairs',
    request: { question: 'Question 1?', answer: 'Answer 1.' },
  })
  const annotationsPath = `/api/resources?kind=annotation&parent=${testConsole.keys.chat}`
  expect(await testConsole.json(`GET`, annotationsPath)).toMatchObject({ total: 30 })
  const csv = await (await testConsole.fetch('GET', `/api/batches/${id}/export?format=csv`)).text()
  expect(csv.split('\r\n')[1]).toContain(first?.id)
})

it('takes no key of another kind, no row without an answer, and stops where the key is refused', async () => {
  const wrong = { kind: 'annotations', key: testConsole.keys.workflow, name: 'Pairs', total: 1 }
  expect((await testConsole.fetch('POST', '/api/batches', wrong)).status).toBe(400)
  expect((await testConsole.fetch('POST', '/api/batches', { ...wrong, kind: 'run' })).status).toBe(400)
  await expect(createBatch([{ question: 'Alone?' }])).rejects.toThrow('(row 1) body.answer')
  const long = { question: 'q'.repeat(100_001), answer: 'Yes.' }
  await expect(createBatch([...pairs(1), long])).rejects.toThrow('(row 2) body.question')
  testConsole.platform.script = (_seen, response) => sendError(response, 401, { code: 'unauthorized', message: 'Who?' })
  const id = await createBatch(pairs(5), { at_once: 1 })
  await start(id)
  expect(await waitForBatch(testConsole, id, 'paused', 'refused')).toMatchObject({ counts: { waiting: 5 } })
})

it('after a death nothing is lost and nothing is there twice, by the platform’s list', async () => {
  const rows = [...pairs(3), { question: 'Twice?', answer: 'Yes.' }, { question: 'Twice?', answer: 'Yes.' }]
  const id = await createBatch(rows)
  // As a server that was killed left them: rows 1, 2, 4 and 5 were under way; of 1 and of one "Twice?" the request had arrived.
  const left = [1, 2, 4, 5].map((number) => ({ number, call: randomUUID() }))
  const at = new Date(Date.now() - 20_000)
  for (const { number, call } of left) {
    const { question, answer } = rows[number - 1] ?? { question: '', answer: '' }
    await testConsole.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, params, request, title, resource_ids, server_id, created_at)
       VALUES ($1, 'annotations.create', 'dispatched', $2, $3, '{}', $4, $5, '{}', $6, $7)`,
      [
        call,
        testConsole.workspace,
        testConsole.keys.chat,
        JSON.stringify({ question, answer }),
        question,
        randomUUID(),
        at,
      ],
    )
    await testConsole.query(
      `UPDATE batch_rows SET state = 'running', run_id = $3, attempts = 1 WHERE batch_id = $1 AND number = $2`,
      [id, number, call],
    )
  }
  for (const number of [1, 4]) storeAnnotation({ body: JSON.stringify(rows[number - 1]) } as RecordedRequest)
  await testConsole.query(
    `UPDATE batches SET state = 'running', pause = NULL, began_at = now(), server_id = $2 WHERE id = $1`,
    [id, randomUUID()],
  )
  await testConsole.restart()
  expect(await waitForBatch(testConsole, id, 'ended')).toMatchObject({ counts: { succeeded: 5, unknown: 0 } })
  expect(createdAnnotations.map(({ question }) => question).sort()).toEqual(rows.map(({ question }) => question).sort())
  expect(new Set((await listRows(id)).map(({ result }) => result)).size).toBe(5)
})

it('where the platform lists nothing, a row that was cut off is unknown and waits for a person', async () => {
  testConsole.platform.script = (seen, response) => {
    if (seen.method === 'GET') return sendError(response, 404, { code: 'not_found', message: 'no', status: 404 })
    storeAnnotation(seen)
    response.destroy()
  }
  const id = await createBatch(pairs(1))
  await start(id)
  expect(await waitForBatch(testConsole, id, 'ended')).toMatchObject({ counts: { unknown: 1 } })
  expect(createdAnnotations).toHaveLength(1)
})
