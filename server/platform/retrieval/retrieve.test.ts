import { describe, expect, it } from 'vitest'
import {
  createCustomRule,
  type FoundRecord,
  listColumn,
  SEGMENT_PER_LINE,
  setupPlatform,
} from '../datasets/platform.fixture.ts'
import { hashTerm } from '#domain/keywordSearch/termVector.ts'
import type { Model } from '../model/model.ts'
import { dropOverlaps } from './overlaps.ts'

const platform = setupPlatform()

const getContent = ({ segment }: FoundRecord) => segment['content'] as unknown as string

/** Knows three things, each a direction; a text points where its words do. */
const CONCEPTS = [/\b(dog|puppy|hound)/i, /\b(car|automobile|vehicle)/i, /\b(rain|storm|weather)/i]
const toConceptVector = (text: string): number[] => [...CONCEPTS.map((concept) => (concept.test(text) ? 1 : 0)), 0.01]
type Embed = NonNullable<Model['embed']>
const createModel = (
  embed: Embed = async (texts) => texts.map(toConceptVector),
  embedding_name = 'three-things',
): Model => ({
  name: 'writer',
  chat: () => {
    throw new Error('nobody writes here')
  },
  embed,
  embedding_name,
})

const createFragileModel = (endpoint: { isDown: boolean }): Model =>
  createModel(async (texts) => {
    if (endpoint.isDown) throw new Error('the endpoint is down')
    return texts.map(toConceptVector)
  })

describe('search by keyword', () => {
  it('works for Chinese and Japanese, and for a single character', async () => {
    const id = await platform.newDataset()
    const text = [
      '知识库由文档组成，每个文档被切分为多个分段。',
      '猫喜欢睡觉。',
      '東京は日本の首都です。',
      'Berlin is a capital.',
    ]
    await platform.addText(id, text.join('\n'), SEGMENT_PER_LINE)
    expect(await platform.retrieveContents(id, '文档如何切分？')).toEqual([text[0]])
    expect(await platform.retrieveContents(id, '猫')).toEqual([text[1]])
    expect(await platform.retrieveContents(id, '日本の首都')).toEqual([text[2]])
    expect(await platform.retrieveContents(id, 'CAPITALS')).toEqual([text[3]])
    expect(await platform.retrieveContents(id, '火山')).toEqual([])
    expect(await platform.retrieveContents(id, '?!')).toEqual([])
  })

  it('finds what only some of the words of a long question name', async () => {
    const id = await platform.newDataset()
    await platform.addText(id, 'Quotas are counted per workspace.\nKeys are sealed.', SEGMENT_PER_LINE)
    const question = 'Could you please explain to me in simple words how exactly quotas get counted by this product?'
    expect((await platform.retrieveContents(id, question))[0]).toBe('Quotas are counted per workspace.')
  })

  it('obeys top_k and the score threshold, and counts hits', async () => {
    const id = await platform.newDataset()
    const lines = Array.from({ length: 10 }, (_, index) => `giraffe ${index}${index < 3 ? ' necks' : ''}`)
    const document = await platform.addText(id, lines.join('\n'), SEGMENT_PER_LINE)
    expect(await platform.retrieveContents(id, 'giraffe')).toHaveLength(4)
    expect(await platform.retrieveContents(id, 'giraffe', { top_k: 7 })).toHaveLength(7)
    const all = await platform.retrieve(id, 'giraffe necks', { top_k: 10 })
    const threshold = all[2]?.score ?? 0
    const best = await platform.retrieve(id, 'giraffe necks', {
      top_k: 10,
      score_threshold_enabled: true,
      score_threshold: threshold,
    })
    expect(best.map(getContent).sort()).toEqual(lines.slice(0, 3))
    expect(best[0]?.segment['hit_count']).toBeGreaterThanOrEqual(2)
    const { body } = await platform.send('GET', `/datasets/${id}/documents/${document['id']}`)
    expect(body['hit_count']).toBe(4 + 7 + 10 + 3)
  })

  it('returns one of two segments that overlap, and fills the list with others', async () => {
    const id = await platform.newDataset()
    const sentences = Array.from({ length: 8 }, (_, index) => `Lighthouse ${index} stands on a rock in the sea.`)
    const process_rule = createCustomRule({ separator: '\n\n', max_tokens: 60, chunk_overlap: 20 })
    await platform.addText(id, sentences.join(' '), { process_rule })
    await platform.addText(id, 'A lighthouse is painted white.')
    const found = await platform.retrieveContents(id, 'lighthouse', { top_k: 10 })
    expect(found).toContain('A lighthouse is painted white.')
    const positions = (await platform.retrieve(id, 'lighthouse', { top_k: 10 }))
      .filter((record) => getContent(record) !== 'A lighthouse is painted white.')
      .map(({ segment }) => Number(segment['position']))
      .sort((one, other) => one - other)
    for (const [index, position] of positions.entries())
      expect(position - (positions[index - 1] ?? -1)).toBeGreaterThan(1)
  })

  it('fills the list where each segment of the result excludes both of its neighbours', async () => {
    const id = await platform.newDataset()
    const process_rule = createCustomRule({ separator: '\n\n', max_tokens: 60, chunk_overlap: 20 })
    const sentences = Array.from({ length: 12 }, (_, index) => `Lighthouse ${index} stands on a rock in the sea.`)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const document = await platform.addText(id, sentences.join(' '), { process_rule })
      const { body } = await platform.send('GET', `/datasets/${id}/documents/${document['id']}/segments`)
      const [first, second, third] = listColumn(body['data'], 'id') as string[]
      ids.push(...[second, first, third].flatMap((segment) => segment ?? []))
    }
    expect(ids).toHaveLength(9)
    const ranked = ids.map((segment_id, index) => ({
      segment_id,
      score: 1 - index / 10,
      search_method: 'keyword_search' as const,
      children: [],
    }))
    const kept = await dropOverlaps(platform.database.pool, ranked, 3)
    expect(kept.map(({ segment_id }) => segment_id)).toEqual([ids[0], ids[3], ids[6]])
  })

  it('finds a document by its title', async () => {
    const id = await platform.newDataset()
    await platform.addText(id, 'It has forty rooms.', { name: 'The castle of Trausnitz' })
    await platform.addText(id, 'It has sixty rooms.', { name: 'The castle of Nymphenburg' })
    expect((await platform.retrieveContents(id, 'rooms of Nymphenburg'))[0]).toBe('It has sixty rooms.')
  })

  it('refuses what it cannot search', async () => {
    const id = await platform.newDataset()
    const ask = (body: Record<string, unknown>) => platform.send('POST', `/datasets/${id}/retrieve`, body)
    expect((await ask({ query: 'x' })).body['code']).toBe('dataset_not_initialized')
    await platform.addText(id, 'x')
    for (const body of [
      {},
      { query: '' },
      { query: ' ' },
      { query: 'x'.repeat(251) },
      { query: 'x', retrieval_model: { top_k: 'many' } },
    ])
      expect((await ask(body)).body['code']).toBe('invalid_param')
    const old = await platform.send('POST', `/datasets/${id}/hit-testing`, { query: 'x' })
    expect(old.status).toBe(200)
  })
})

describe('search by meaning', () => {
  const TEXT = ['The puppy sleeps.', 'An automobile has wheels.', 'A storm is coming.', 'Nothing at all.']
  const quality = { ...SEGMENT_PER_LINE, indexing_technique: 'high_quality' }
  const semantic = { search_method: 'semantic_search', top_k: 2 }

  it('finds what has none of the question’s words', async () => {
    await platform.reopen({ model: createModel() })
    const id = await platform.newDataset()
    await platform.addText(id, TEXT.join('\n'), quality)
    expect((await platform.retrieveContents(id, 'my dog', semantic))[0]).toBe('The puppy sleeps.')
    expect((await platform.retrieveContents(id, 'which vehicle', semantic))[0]).toBe('An automobile has wheels.')
    expect(await platform.retrieveContents(id, 'my dog', { search_method: 'keyword_search' })).toEqual([])
    const { body } = await platform.send('GET', `/datasets/${id}`)
    expect(body).toMatchObject({ embedding_model: 'three-things', embedding_available: true })
  })

  it('weighs meaning against words in a hybrid search', async () => {
    await platform.reopen({ model: createModel() })
    const id = await platform.newDataset()
    await platform.addText(id, ['The hound barks.', 'A unicorn and a car.', 'Weather.'].join('\n'), quality)
    const hybrid = (weights: number) =>
      platform.retrieveContents(id, 'dog or unicorn', { search_method: 'hybrid_search', weights, top_k: 2 })
    expect((await hybrid(0.9))[0]).toBe('The hound barks.')
    expect((await hybrid(0.1))[0]).toBe('A unicorn and a car.')
  })

  it('says which method was used, and why it is not the one that is set', async () => {
    const endpoint = { isDown: false }
    await platform.reopen({ model: createFragileModel(endpoint) })
    const id = await platform.newDataset()
    await platform.addText(id, TEXT.join('\n'), quality)
    const economy = await platform.newDataset()
    await platform.addText(economy, TEXT.join('\n'), { ...SEGMENT_PER_LINE, indexing_technique: 'economy' })
    const toMethods = async (dataset_id: string, retrieval_model?: object) => {
      const question = { query: 'the puppy', retrieval_model }
      const { body } = await platform.send('POST', `/datasets/${dataset_id}/retrieve`, question)
      const { search_method, fallback, records } = body
      return { search_method, fallback, hit: records?.[0]?.['search_method'] }
    }
    const keyword = { search_method: 'keyword_search', hit: 'keyword_search' }
    expect(await toMethods(id, semantic)).toEqual({
      search_method: 'semantic_search',
      fallback: null,
      hit: 'semantic_search',
    })
    expect(await toMethods(id, { search_method: 'hybrid_search' })).toMatchObject({
      fallback: null,
      hit: 'hybrid_search',
    })
    expect(await toMethods(economy)).toEqual({ ...keyword, fallback: null })
    const requested_method = 'semantic_search'
    expect(await toMethods(economy, semantic)).toEqual({
      ...keyword,
      fallback: { requested_method, reason: 'economy_dataset' },
    })
    endpoint.isDown = true
    const failed = await platform.addText(id, 'more', quality)
    expect(failed).toMatchObject({ indexing_status: 'error', error: 'the endpoint is down' })
    expect(await toMethods(id, semantic)).toEqual({
      ...keyword,
      fallback: { requested_method, reason: 'embedding_failed' },
    })
    await platform.reopen()
    expect(await toMethods(id, semantic)).toEqual({
      ...keyword,
      fallback: { requested_method, reason: 'no_embedding_model' },
    })
    expect(await toMethods(id, { search_method: 'full_text_search' })).toEqual({
      search_method: 'full_text_search',
      fallback: null,
      hit: 'full_text_search',
    })
  })

  it('makes new vectors when the model is another one', async () => {
    await platform.reopen({ model: createModel() })
    const id = await platform.newDataset()
    await platform.addText(id, TEXT.join('\n'), quality)
    await platform.close()
    const longer = createModel(async (texts) => texts.map((text) => [0, ...toConceptVector(text), 0, 0]), 'another')
    await platform.reopen({ model: longer })
    await expect
      .poll(() => platform.retrieveContents(id, 'my dog', semantic).then(([first]) => first))
      .toBe('The puppy sleeps.')
  })
})

it('top_k counts parents, however many children of one are found', async () => {
  const toOwnVector = (text: string) =>
    Array.from({ length: 8 }, (_, index) => Math.sin(hashTerm(text) * (index + 1)) / 9)
  await platform.reopen({
    model: createModel(async (texts) => texts.map((text) => [...toConceptVector(text), ...toOwnVector(text)]), 'own'),
  })
  const id = await platform.newDataset()
  const subchunk_segmentation = { separator: '\n', max_tokens: 50, chunk_overlap: 0 }
  const { rules } = createCustomRule({ separator: '\n\n', max_tokens: 4000 })
  const settings = {
    doc_form: 'hierarchical_model',
    indexing_technique: 'high_quality',
    process_rule: { mode: 'hierarchical', rules: { ...rules, parent_mode: 'full-doc', subchunk_segmentation } },
  }
  const many = Array.from({ length: 120 }, (_, index) => `The puppy ${index}.`).join('\n')
  for (const text of [many, many, 'A puppy that is very large sleeps.', 'Puppy of another kind, which is small.'])
    await platform.addText(id, text, settings)
  for (const search_method of ['keyword_search', 'semantic_search', 'hybrid_search'])
    await expect
      .poll(async () => [search_method, (await platform.retrieve(id, 'puppy', { search_method, top_k: 4 })).length])
      .toEqual([search_method, 4])
})

describe('the models', () => {
  it('are those of the endpoint', async () => {
    await platform.reopen({ model: createModel() })
    const list = (type: string) => platform.send('GET', `/workspaces/current/models/model-types/${type}`)
    expect((await list('text-embedding')).body['data']?.[0]).toMatchObject({
      provider: 'openai-compatible',
      models: [{ model: 'three-things', model_type: 'text-embedding' }],
    })
    expect((await list('llm')).body['data']?.[0]).toMatchObject({ models: [{ model: 'writer' }] })
    expect((await list('rerank')).body['data']).toEqual([])
    expect((await list('psychic')).status).toBe(400)
  })
})

it('search by meaning keeps to the documents that meet the metadata conditions', async () => {
  await platform.reopen({ model: createModel() })
  const id = await platform.newDataset({ indexing_technique: 'high_quality' })
  const { body } = await platform.send('POST', `/datasets/${id}/metadata`, { type: 'string', name: 'kind' })
  for (const [name, text] of [
    ['animals', 'A puppy sleeps.'],
    ['pets', 'The hound barks.'],
  ] as const) {
    const document = await platform.addText(id, text, { name, indexing_technique: 'high_quality' })
    const value = { id: body['id'], name: 'kind', value: name }
    const operation_data = [{ document_id: document['id'], metadata_list: [value] }]
    await platform.send('POST', `/datasets/${id}/documents/metadata`, { operation_data })
  }
  const find = (search_method: string, value: string) =>
    platform.retrieveContents(id, 'dog', {
      search_method,
      metadata_filtering_conditions: { conditions: [{ name: 'kind', comparison_operator: 'is', value }] },
    })
  // Vectors are made after the document is indexed.
  await expect.poll(() => find('semantic_search', 'pets')).toEqual(['The hound barks.'])
  expect(await find('hybrid_search', 'animals')).toEqual(['A puppy sleeps.'])
  expect(await find('semantic_search', 'plants')).toEqual([])
})
