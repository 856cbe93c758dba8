import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Key } from '#contract/console.ts'
import { refuse, type Seen } from '../../e2e/faults/platform.ts'
import { Bench } from '../app.testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await Bench.start()
})
afterAll(() => bench.remove())
beforeEach(() => {
  bench.platform.seen.length = 0
})

const DATASET = 'a0000000-0000-4000-8000-000000000001'
const DOCUMENT = 'a0000000-0000-4000-8000-000000000002'
type Kind = 'knowledge' | 'chat' | 'workflow'
const survey = async (kind: Kind) => {
  const key = await bench.json<Key>('POST', `/api/workspaces/${bench.workspace}/keys/${bench.keys[kind]}/survey`)
  return key.offers.toSorted()
}
const answering = (replies: Record<string, unknown>) => {
  bench.platform.script = ({ path }: Seen, response) => {
    const reply = replies[path.split('?')[0] ?? '']
    if (reply === undefined)
      return refuse(response, 404, { code: 'not_found', message: 'Nothing at this path.', status: 404 })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
}
const page = (data: unknown[]) => ({ data, has_more: false, limit: 1, total: data.length, page: 1 })

it('a platform with the 18 operations alone offers nothing beyond them, and is only read', async () => {
  answering({})
  expect(await survey('knowledge')).toEqual([])
  expect(await survey('chat')).toEqual([])
  expect(await survey('workflow')).toEqual([])
  expect(new Set(bench.platform.seen.map(({ method }) => method))).toEqual(new Set(['GET']))
})

it('each family of operations is offered by itself', async () => {
  answering({
    '/v1/datasets': page([{ id: DATASET, name: 'A base', document_count: 1 }]),
    [`/v1/datasets/${DATASET}/documents`]: page([{ id: DOCUMENT, name: 'A document' }]),
    [`/v1/datasets/${DATASET}/documents/${DOCUMENT}/segments`]: { ...page([]), doc_form: 'text_model' },
    '/v1/conversations': { data: [], has_more: false, limit: 1 },
  })
  const knowledge = await survey('knowledge')
  expect(knowledge).toEqual(expect.arrayContaining(['listDatasets', 'retrieve', 'listSegments', 'updateSegment']))
  expect(knowledge).not.toContain('readDocument')
  expect(knowledge).not.toContain('createByFile')
  expect(knowledge).not.toContain('listModels')
  const chat = await survey('chat')
  expect(chat).toEqual(expect.arrayContaining(['listConversations', 'feedback', 'stopChat']))
  expect(chat).not.toContain('listAnnotations')
})

it('what answers is offered from then on, what has no route no more; a missing thing says nothing', async () => {
  const offers = async () => {
    const { data } = await bench.json<{ data: { keys: Key[] }[] }>('GET', '/api/workspaces')
    return data.flatMap(({ keys }) => keys).find(({ id }) => id === bench.keys.knowledge)?.offers ?? []
  }
  const read = () => bench.fetch('GET', `/api/keys/${bench.keys.knowledge}/datasets/${DATASET}`)
  answering({ [`/v1/datasets/${DATASET}`]: { id: DATASET, name: 'A base' } })
  expect((await read()).status).toBe(200)
  await expect.poll(offers).toContain('readDataset')
  bench.platform.script = (_seen, response) =>
    refuse(response, 404, { code: 'not_found', message: 'Dataset not found.', status: 404 })
  expect((await read()).status).toBe(424)
  expect(await offers()).toContain('readDataset')
  bench.platform.script = (_seen, response) => refuse(response, 405, { message: 'Method Not Allowed' })
  expect((await read()).status).toBe(424)
  await expect.poll(offers).not.toContain('readDataset')
})
