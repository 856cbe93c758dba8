import { expect, it, vi } from 'vitest'
import type { Model } from '../../model/model.ts'
import { SEGMENT_PER_LINE, setupPlatform } from '../platform.fixture.ts'

const platform = setupPlatform()

interface Found {
  segment_id: string
  score: number
}
const dryRun = async (dataset_id: string, queries: readonly string[], given: object = {}): Promise<Found[][]> => {
  const { status, body } = await platform.send('POST', `/datasets/${dataset_id}/retrieve/dry-run`, {
    queries,
    ...given,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const { results } = body as unknown as { results: { records: Found[] }[] }
  return results.map(({ records }) => records.map(({ segment_id, score }) => ({ segment_id, score })))
}
const ask = async (dataset_id: string, queries: readonly string[]): Promise<Found[][]> => {
  const results: Found[][] = []
  for (const query of queries) {
    const records = await platform.retrieve(dataset_id, query)
    results.push(records.map(({ segment, score }) => ({ segment_id: String(segment['id']), score })))
  }
  return results
}
const listSegments = async (dataset_id: string, document_id: string) =>
  (await platform.listSegments(dataset_id, document_id))['data'] as unknown as { id: string; content: string }[]
const getHitCount = async (dataset_id: string, document_id: string) =>
  (await platform.readDocument(dataset_id, document_id))['hit_count']

const TOPICS = ['relay', 'ledger', 'vault', 'drift', 'quota', 'frame', 'dataset', 'segment', 'workflow', 'answer']
const LINES = Array.from({ length: 40 }, (_, index) => {
  const [first, second] = [TOPICS[index % 10], TOPICS[Math.floor(index / 4)]]
  return `Part ${index}: the ${first} of the ${second} is kept for ${index} days, and ${first} is counted.`
})
const QUERIES = TOPICS.map((topic, index) =>
  index % 2 === 0 ? `How long is the ${topic} kept?` : `Where is ${topic} ${TOPICS[(index + 3) % 10]} counted?`,
)

it('answers as retrieval does after a segment was changed, disabled, deleted and added', async () => {
  const id = await platform.newDataset()
  const document_id = String((await platform.addText(id, LINES.join('\n'), SEGMENT_PER_LINE))['id'])
  const segments = await listSegments(id, document_id)
  const path = `/datasets/${id}/documents/${document_id}/segments`
  const [changed, disabled, deleted] = [segments[3], segments[10], segments[20]]
  expect(await dryRun(id, QUERIES)).toEqual(await ask(id, QUERIES))

  const hits = await getHitCount(id, document_id)
  const stored = await listSegments(id, document_id)
  const content = 'The quota of a workflow is kept in the vault for a year, where the relay counts every answer.'
  const edit = { id: changed?.id, document_id, content }
  const edited = await dryRun(id, QUERIES, { segments: [edit] })
  expect(edited).not.toEqual(await dryRun(id, QUERIES))
  expect(await listSegments(id, document_id)).toEqual(stored)
  expect(await getHitCount(id, document_id)).toBe(hits)
  await platform.send('POST', `${path}/${changed?.id}`, { segment: { content } })
  expect(await ask(id, QUERIES)).toEqual(edited)

  const without = await dryRun(id, QUERIES, { segments: [{ id: disabled?.id, document_id, enabled: false }] })
  await platform.send('POST', `${path}/${disabled?.id}`, { segment: { enabled: false } })
  expect(await ask(id, QUERIES)).toEqual(without)
  const again = await dryRun(id, QUERIES, { segments: [{ id: disabled?.id, document_id, enabled: true }] })
  await platform.send('POST', `${path}/${disabled?.id}`, { segment: { enabled: true } })
  expect(await ask(id, QUERIES)).toEqual(again)

  const removed = await dryRun(id, QUERIES, { segments: [{ id: deleted?.id, document_id, removed: true }] })
  await platform.send('DELETE', `${path}/${deleted?.id}`)
  expect(await ask(id, QUERIES)).toEqual(removed)

  const added = await dryRun(id, QUERIES, { segments: [{ document_id, content }] })
  await platform.send('POST', path, { segments: [{ content }] })
  const toScores = (found: Found[][]) => found.map((records) => records.map(({ score }) => score))
  expect(toScores(await ask(id, QUERIES))).toEqual(toScores(added))
})

it('answers as retrieval does after the settings were saved', async () => {
  const id = await platform.newDataset()
  await platform.addText(id, LINES.join('\n'), SEGMENT_PER_LINE)
  const retrieval_model = {
    search_method: 'keyword_search',
    reranking_enable: false,
    top_k: 7,
    score_threshold_enabled: true,
    score_threshold: 0.3,
  }
  const before = await ask(id, QUERIES)
  const predicted = await dryRun(id, QUERIES, { retrieval_model })
  expect(predicted).not.toEqual(before)
  expect(await ask(id, QUERIES)).toEqual(before)
  await platform.send('PATCH', `/datasets/${id}`, { retrieval_model })
  expect(await ask(id, QUERIES)).toEqual(predicted)
})

it('knows that the children of a parent stay, unless they are made again', async () => {
  const id = await platform.newDataset()
  const rules = {
    pre_processing_rules: [],
    segmentation: { separator: '\n\n', max_tokens: 500 },
    parent_mode: 'paragraph',
    subchunk_segmentation: { separator: '\n', max_tokens: 100 },
  }
  const text = [LINES.slice(0, 4), LINES.slice(4, 8), LINES.slice(8, 12)].map((lines) => lines.join('\n')).join('\n\n')
  const document = await platform.addText(id, text, {
    doc_form: 'hierarchical_model',
    process_rule: { mode: 'hierarchical', rules },
  })
  const document_id = String(document['id'])
  const [parent] = await listSegments(id, document_id)
  const path = `/datasets/${id}/documents/${document_id}/segments/${parent?.id}`
  const content = 'A quota is kept.\nThe workflow has an answer.'
  const before = await ask(id, QUERIES)
  expect(await dryRun(id, QUERIES, { segments: [{ id: parent?.id, document_id, content }] })).toEqual(before)
  const draft = { content, regenerate_child_chunks: true }
  const predicted = await dryRun(id, QUERIES, { segments: [{ id: parent?.id, document_id, ...draft }] })
  expect(predicted).not.toEqual(before)
  await platform.send('POST', path, { segment: draft })
  expect(await ask(id, QUERIES)).toEqual(predicted)
})

it('compares the vector of a text that is not stored', async () => {
  const concepts = TOPICS.map((topic) => new RegExp(topic, 'gi'))
  const embed = vi.fn((texts: string[]) =>
    Promise.resolve(
      texts.map((text) => [...concepts.map((one) => text.match(one)?.length ?? 0), 0.1, text.length / 999]),
    ),
  )
  const chat = () => {
    throw new Error('nobody writes here')
  }
  const model: Model = { name: 'writer', chat, embed, embedding_name: 'ten-topics' }
  await platform.reopen({ model })
  const id = await platform.newDataset({ indexing_technique: 'high_quality' })
  const document = await platform.addText(id, LINES.join('\n'), SEGMENT_PER_LINE)
  const document_id = String(document['id'])
  const segments = await listSegments(id, document_id)
  for (const search_method of ['semantic_search', 'hybrid_search']) {
    await platform.send('PATCH', `/datasets/${id}`, {
      retrieval_model: { search_method, reranking_enable: false, top_k: 5 },
    })
    const segment = segments[search_method === 'semantic_search' ? 5 : 12]
    const content = `The vault has a ${search_method}, and an answer for every quota of the workflow.`
    const predicted = await dryRun(id, QUERIES, { segments: [{ id: segment?.id, document_id, content }] })
    expect(predicted).not.toEqual(await ask(id, QUERIES))
    await platform.send('POST', `/datasets/${id}/documents/${document_id}/segments/${segment?.id}`, {
      segment: { content },
    })
    await vi.waitFor(async () => expect(await ask(id, QUERIES)).toEqual(predicted), { interval: 50, timeout: 20_000 })
  }
})

it('names what it cannot take', async () => {
  const id = await platform.newDataset()
  const document_id = String((await platform.addText(id, LINES.join('\n'), SEGMENT_PER_LINE))['id'])
  const send = (body: object) => platform.send('POST', `/datasets/${id}/retrieve/dry-run`, { ...body })
  const message = async (body: object) => String((await send(body)).body['message'])
  expect(await message({ queries: [] })).toMatch(/queries/)
  expect(await message({ queries: [' '] })).toBe('queries must not be blank')
  expect(await message({ queries: ['a'], segments: [{ document_id }] })).toMatch(/^segments\.0\.content is required/)
  expect((await send({ queries: ['a'], segments: [{ document_id, id: id }] })).status).toBe(404)
})
