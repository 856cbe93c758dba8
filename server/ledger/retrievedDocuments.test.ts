import { expect, it } from 'vitest'
import { createAnswerIds, sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

const testConsole = TestConsole.forFile()

const DATASET = 'b0000000-0000-4000-8000-000000000001'
const OTHER_DATASET = 'b0000000-0000-4000-8000-000000000002'
const [TESTED, CITED, FOREIGN, LISTED] = ['a', 'b', 'c', 'd'].map((end) => `b0000000-0000-4000-8000-00000000000${end}`)

interface RetrievedReply {
  data: { id: string }[]
  questions: number
  is_complete: boolean
}

it('names the documents that retrieval tests and answers found, and none that was only listed', async () => {
  const path = `/api/retrieved-documents?workspace=${testConsole.workspace}&dataset=${DATASET}&days=30`
  expect(await testConsole.json('GET', path)).toEqual({ data: [], total: 0, apps: [], questions: 0, is_complete: true })

  const replyWith = (reply: unknown) => {
    testConsole.platform.script = (_seen, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
  const base = `/api/keys/${testConsole.keys.knowledge}/datasets/${DATASET}`
  replyWith({ data: [{ id: LISTED, name: 'Listed' }], total: 1, page: 1, limit: 20, has_more: false })
  expect((await testConsole.fetch('GET', `${base}/documents`)).status).toBe(200)
  const segment = { id: 'b0000000-0000-4000-8000-0000000000ff', document_id: TESTED, content: 'A lamp.' }
  replyWith({ query: { content: 'lamp' }, records: [{ segment, score: 0.5 }] })
  expect((await testConsole.fetch('POST', `${base}/retrieve`, { query: 'lamp' })).status).toBe(200)

  const ids = createAnswerIds()
  const sources = [
    { dataset_id: DATASET, document_id: CITED, segment_id: 's', content: 'Cited.' },
    { dataset_id: OTHER_DATASET, document_id: FOREIGN, segment_id: 's', content: 'Of another dataset.' },
    { dataset_id: DATASET, document_id: 'x\0', content: '\0' },
    1,
    null,
  ]
  testConsole.platform.script = (_seen, response) => sendAnswer(response, 'Yes.', { retriever_resources: sources }, ids)
  await (await testConsole.ask()).text()

  await expect
    .poll(async () => (await testConsole.json<RetrievedReply>('GET', path)).data.map(({ id }) => id))
    .toEqual(expect.arrayContaining([TESTED, CITED]))
  const found = await testConsole.json<RetrievedReply>('GET', path)
  expect(found).toMatchObject({ apps: [testConsole.keys.chat], questions: 2, is_complete: true })
  const other = path.replace(DATASET, 'b0000000-0000-4000-8000-000000000003')
  expect(await testConsole.json('GET', other)).toMatchObject({ apps: [], questions: 2 })
  const foundIds = found.data.map(({ id }) => id)
  for (const id of [FOREIGN, LISTED]) expect(foundIds).not.toContain(id)
})
