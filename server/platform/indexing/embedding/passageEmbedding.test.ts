import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { listColumn, SEGMENT_PER_LINE, setupPlatform } from '../../datasets/platform.fixture.ts'
import { openModel } from '../../model/model.ts'
import { startModelEndpoint, type EndpointBehaviour, type ModelEndpoint } from '../../model/modelEndpoint.fixture.ts'

/** The platform asks for no text twice: each test has texts of its own. */
const platform = setupPlatform()
const behaviour: EndpointBehaviour = {}
let endpoint: ModelEndpoint
let dataset: string
beforeAll(async () => {
  endpoint = await startModelEndpoint(behaviour)
  await reopen()
})
beforeEach(async () => {
  for (const name of Object.keys(behaviour)) delete behaviour[name as keyof EndpointBehaviour]
  behaviour.vector = toAngle
  endpoint.embedded.length = 0
  dataset = await platform.newDataset({ indexing_technique: 'high_quality' })
})
afterAll(() => endpoint.close())

const reopen = () => platform.reopen({ model: openModel({ base_url: endpoint.url, embedding_model: 'vectors' }) })

/** Each text points in a direction of its own, and the query for it in the same. */
function toAngle(text: string): number[] {
  const sum = [...text.replace(QUERY_PREFIX, '')].reduce(
    (total, letter) => (total * 31 + letter.charCodeAt(0)) % 6283,
    0,
  )
  return [Math.cos(sum / 1000), Math.sin(sum / 1000)]
}

const QUERY_PREFIX = 'like: '

const toLines = (count: number, title: string) =>
  Array.from({ length: count }, (_, line) => `Line ${line} of ${title}.`).join('\n')

const create = async (
  name: string,
  text: string,
  settings: Record<string, unknown> = SEGMENT_PER_LINE,
): Promise<string> => {
  const path = `/datasets/${dataset}/document/create-by-text`
  return String((await platform.send('POST', path, { name, text, ...settings })).body['document']?.['id'])
}
const reindex = async (id: string, text: string) => {
  await platform.updateText(dataset, id, { name: 'again', text })
  return platform.settle(dataset, id)
}
/** What was asked for while documents were indexed. */
const askedTexts = () => endpoint.embedded.flat().filter((text) => !text.startsWith(QUERY_PREFIX))
const countTexts = () => askedTexts().length
const nearest = async (text: string) => {
  const query = QUERY_PREFIX + text
  const retrieval_model = { search_method: 'semantic_search', top_k: 1 }
  const [record] = await platform.retrieve(dataset, query, retrieval_model)
  return record && [record.segment['content'], Number(record.score.toFixed(3))]
}
const HELD_COUNT = 2
/** Lets the model answer when the result is called; until then all runs that may wait for it do. */
async function holdModel(): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  behaviour.hold = held.promise
  for (let count = 1; count <= HELD_COUNT; count++) {
    await create('held', `held ${crypto.randomUUID()}`)
    await vi.waitFor(() => expect(countTexts()).toBe(count))
  }
  return held.resolve
}

const countVectors = async () => {
  const { rows } = await platform.database.pool.query<{ count: number }>(
    'SELECT count(*)::int4 AS count FROM platform.embeddings WHERE dataset_id = $1',
    [dataset],
  )
  return rows[0]?.count
}

const findFirstSegment = async (id: string) => {
  const [first] = listColumn((await platform.listSegments(dataset, id))['data'], 'id')
  return `/datasets/${dataset}/documents/${id}/segments/${String(first)}`
}

it.each([
  ['small', 20],
  ['big', 350],
])('a %s document that has not changed is indexed again without asking for a vector', async (title, lines) => {
  const text = toLines(lines, title)
  const id = await create('first', text)
  await platform.settle(dataset, id)
  expect(countTexts()).toBe(lines)
  expect(await reindex(id, text)).toMatchObject({ indexing_status: 'completed', segment_count: lines })
  expect(countTexts()).toBe(lines)
  expect(await countVectors()).toBe(lines)
  expect(await nearest(`Line 7 of ${title}.`)).toEqual([`Line 7 of ${title}.`, 1])
})

it('a document that has changed asks for the new texts alone', async () => {
  const id = await create('first', 'one\ntwo\nthree')
  await platform.settle(dataset, id)
  await reindex(id, 'three\nfour\none')
  expect(askedTexts().sort()).toEqual(['four', 'one', 'three', 'two'])
  expect(await countVectors()).toBe(3)
})

it('texts of several documents are asked for in one request, and equal ones once', async () => {
  const release = await holdModel()
  const others: string[] = []
  for (let number = 0; number < 12; number++) others.push(await create(`${number}`, `the same\nonly ${number}`))
  release()
  for (const id of others) await platform.settle(dataset, id)
  const last = endpoint.embedded.slice(HELD_COUNT)
  expect(last.flat().sort()).toEqual(['the same', ...others.map((_, number) => `only ${number}`)].sort())
  expect(last.length).toBeLessThan(others.length)
  expect(await countVectors()).toBe(HELD_COUNT + 2 * others.length)
  // Later, and in another dataset.
  dataset = await platform.newDataset({ indexing_technique: 'high_quality' })
  await platform.settle(dataset, await create('later', 'the same'))
  expect(askedTexts().filter((text) => text === 'the same')).toHaveLength(1)
  expect(await nearest('the same')).toEqual(['the same', 1])
})

it('a text that is being embedded is not asked for a second time', async () => {
  const held = Promise.withResolvers<void>()
  behaviour.hold = held.promise
  const first = await create('first', 'shared by both')
  await vi.waitFor(() => expect(countTexts()).toBe(1))
  const second = await create('second', 'shared by both\nof the second')
  await vi.waitFor(() => expect(countTexts()).toBe(2))
  held.resolve()
  for (const id of [first, second])
    expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed' })
  expect(askedTexts()).toEqual(['shared by both', 'of the second'])
})

it('a text that the model refuses fails its document alone', async () => {
  behaviour.refuse = { status: 400, message: 'input too long', messagesWith: 'poison' }
  const release = await holdModel()
  const refused = await create('refused', 'harmless\npoison')
  const ids = [await create('third', 'third'), await create('fourth', 'fourth')]
  release()
  for (const id of ids) expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed' })
  const failed = await platform.settle(dataset, refused)
  expect(failed).toMatchObject({ indexing_status: 'error' })
  expect(failed['error']).toContain('input too long')
  // And once it is accepted, the document is indexed.
  delete behaviour.refuse
  expect(await reindex(refused, 'harmless\npoison')).toMatchObject({ indexing_status: 'completed', error: null })
})

it('requests fit a model that takes few texts at a time', async () => {
  behaviour.maxTexts = 10
  const id = await create('long', toLines(75, 'many'))
  expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed', segment_count: 75 })
  expect(countTexts()).toBe(75)
  expect(Math.max(...endpoint.embedded.map((texts) => texts.length))).toBeLessThanOrEqual(10)
})

it('a model that does not answer holds up no document without vectors', async () => {
  const release = await holdModel()
  const waiting = await create('waits', 'waits')
  const slow = dataset
  dataset = await platform.newDataset({ indexing_technique: 'economy' })
  const id = await create('quick', 'quick', { indexing_technique: 'economy' })
  expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed' })
  release()
  await platform.settle(slow, waiting)
})

it('a dataset that becomes high quality gets vectors of all texts but those that the model refuses', async () => {
  behaviour.refuse = { status: 400, message: 'input too long', messagesWith: 'bitter' }
  dataset = await platform.newDataset()
  const settings = { ...SEGMENT_PER_LINE, indexing_technique: 'economy' }
  await platform.settle(dataset, await create('notes', 'north\nbitter\nsouth', settings))
  await platform.send('PATCH', `/datasets/${dataset}`, { indexing_technique: 'high_quality' })
  await vi.waitFor(async () => {
    const { rows } = await platform.database.pool.query(
      'SELECT 1 FROM platform.datasets WHERE id = $1 AND NOT embedding_pending',
      [dataset],
    )
    expect(rows).toHaveLength(1)
  })
  expect(askedTexts().sort()).toEqual(['north', 'south'])
  expect(await countVectors()).toBe(2)
  // The next start would ask for the refused text again.
  await platform.send('DELETE', `/datasets/${dataset}`)
})

it('vectors from before texts were hashed are used again', async () => {
  const small = await create('small', 'east\nwest')
  const answers = await create('answers', 'Q: Why?\nA: Because.', { doc_form: 'qa_model' })
  const big = await create('big', toLines(250, 'hashed'))
  for (const id of [small, answers, big]) await platform.settle(dataset, id)
  const count = countTexts()
  expect(count).toBe(2 + 1 + 250)
  await platform.database.pool.query('UPDATE platform.embeddings SET text_hash = NULL')
  await reopen()
  await reindex(small, 'west\neast')
  await reindex(answers, 'Q: Why?\nA: Because.')
  expect(await reindex(big, toLines(250, 'hashed'))).toMatchObject({ segment_count: 250 })
  expect(countTexts()).toBe(count)
  expect(await nearest('Why?\nBecause.')).toEqual(['Why?', 1])
})

it('a segment whose keywords change keeps its vector, and one whose text changes gets another', async () => {
  const id = await create('notes', 'red\nblue')
  await platform.settle(dataset, id)
  const path = await findFirstSegment(id)
  await platform.send('POST', path, { segment: { content: 'red', keywords: ['number'] } })
  expect(await nearest('red')).toEqual(['red', 1])
  await platform.send('POST', path, { segment: { content: 'seven' } })
  await expect.poll(() => nearest('seven')).toEqual(['seven', 1])
  expect(askedTexts()).toEqual(['red', 'blue', 'seven'])
})

it('a segment that is edited again while its text is being embedded gets the vector of its last text', async () => {
  const id = await create('notes', 'spring\nsummer')
  await platform.settle(dataset, id)
  const path = await findFirstSegment(id)
  const held = Promise.withResolvers<void>()
  behaviour.hold = held.promise
  await platform.send('POST', path, { segment: { content: 'autumn' } })
  await vi.waitFor(() => expect(askedTexts()).toContain('autumn'))
  await platform.send('POST', path, { segment: { content: 'winter' } })
  held.resolve()
  await expect.poll(() => nearest('winter')).toEqual(['winter', 1])
  expect(await nearest('autumn')).not.toEqual(['winter', 1])
})
