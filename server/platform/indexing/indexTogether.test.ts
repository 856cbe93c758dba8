import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { listColumn, openPlatform, openPlatformDatabase, type OpenPlatform } from '../datasets/platform.fixture.ts'
import type { Model } from '../model/model.ts'

let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let platform: OpenPlatform
let dataset: string
beforeAll(async () => {
  store = await openPlatformDatabase()
})
beforeEach(async () => {
  platform = await openPlatform(store.database)
  dataset = await platform.newDataset()
})
afterEach(() => platform.close())
afterAll(() => store.close())

const custom = (separator: string) => ({
  process_rule: {
    mode: 'custom',
    rules: { pre_processing_rules: [], segmentation: { separator, max_tokens: 50 } },
  },
})
const hierarchical = {
  process_rule: {
    mode: 'hierarchical',
    rules: {
      pre_processing_rules: [],
      segmentation: { separator: ';', max_tokens: 50 },
      parent_mode: 'paragraph',
      subchunk_segmentation: { separator: ',', max_tokens: 50 },
    },
  },
}

const create = async (name: string, text: string, settings: Record<string, unknown> = {}): Promise<string> => {
  const path = `/datasets/${dataset}/document/create-by-text`
  return String((await platform.send('POST', path, { name, text, ...settings })).body['document']?.['id'])
}
const update = (id: string, text: string) =>
  platform.send('POST', `/datasets/${dataset}/documents/${id}/update-by-text`, { name: 'Updated', text })
const listContents = async (id: string) =>
  listColumn((await platform.send('GET', `/datasets/${dataset}/documents/${id}/segments`)).body['data'], 'content')
const retrieve = async (query: string) => {
  const { body } = await platform.send('POST', `/datasets/${dataset}/retrieve`, { query })
  return listColumn(body['records'], 'segment').map((segment) => (segment as { content: string }).content)
}
const query = <Row extends object>(sql: string, values: unknown[] = []) =>
  store.database.pool.query<Row>(sql, values).then(({ rows }) => rows)

/** Stops the platform, lets all documents wait, and starts it again: they are claimed together. */
async function indexAgain(model: Model | null = null): Promise<void> {
  await platform.close()
  await query(
    `UPDATE platform.documents SET indexing_status = 'waiting', version = version + 1 WHERE dataset_id = $1`,
    [dataset],
  )
  platform = await openPlatform(store.database, { model })
}

it('documents of all forms are indexed together as they are alone', async () => {
  const ids = [
    await create('Lines', 'one\ntwo', custom('\n')),
    await create('Parents', 'ant, ape; bee', hierarchical),
    await create('Answers', 'Q: Why?\nA: Saffron.', { doc_form: 'qa_model', ...custom('\n') }),
  ]
  for (const id of ids) await platform.settle(dataset, id)
  await indexAgain()
  const details = []
  for (const id of ids) details.push(await platform.settle(dataset, id))
  expect(details.map((detail) => detail['segment_count'])).toEqual([2, 2, 1])
  for (const detail of details)
    expect(detail).toMatchObject({ indexing_status: 'completed', error: null, tokens: expect.any(Number) as number })
  const runs = await query<{ starts: number }>(
    'SELECT count(DISTINCT processing_started_at)::int4 AS starts FROM platform.documents WHERE dataset_id = $1',
    [dataset],
  )
  expect(runs).toEqual([{ starts: 1 }])
  expect(await listContents(ids[0] ?? '')).toEqual(['one', 'two'])
  expect(await listContents(ids[1] ?? '')).toEqual(['ant, ape', 'bee'])
  expect(await retrieve('ape')).toEqual(['ant, ape'])
  expect(await retrieve('saffron')).toEqual(['Why?'])
  const [counts] = await query(
    `SELECT (SELECT count(*)::int4 FROM platform.passages WHERE dataset_id = $1) AS passages,
            (SELECT sum(passages)::int4 FROM platform.documents WHERE dataset_id = $1) AS counted`,
    [dataset],
  )
  expect(counts).toEqual({ passages: 6, counted: 6 })
})

it('the progress of a batch has all its times', async () => {
  const { body } = await platform.send('POST', `/datasets/${dataset}/document/create-by-text`, {
    name: 'Notes',
    text: 'one\ntwo',
    ...custom('\n'),
  })
  await platform.settle(dataset, String(body['document']?.['id']))
  const path = `/datasets/${dataset}/documents/${String(body['batch'])}/indexing-status`
  const progress = (await platform.send('GET', path)).body['data']?.[0] as unknown as Record<string, number>
  const times = ['processing_started_at', 'parsing_completed_at', 'cleaning_completed_at', 'splitting_completed_at']
  const values = [...times, 'completed_at'].map((name) => Number(progress[name]))
  expect(values).toEqual(values.toSorted((one, other) => one - other))
  expect(progress).toMatchObject({ completed_segments: 2, total_segments: 2 })
})

it('a document that cannot be stored fails alone', async () => {
  const ids: string[] = []
  for (const name of ['ash', 'broken', 'cedar']) ids.push(await create(name, `A text of ${name}.`))
  for (const id of ids) await platform.settle(dataset, id)
  await query(`CREATE FUNCTION refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no such text'; END $$`)
  await query(`CREATE TRIGGER refuse_broken BEFORE INSERT ON platform.segments FOR EACH ROW
    WHEN (NEW.content LIKE '%broken%') EXECUTE FUNCTION refuse_broken()`)
  try {
    await indexAgain()
    const states = []
    for (const id of ids) states.push((await platform.settle(dataset, id))['indexing_status'])
    expect(states).toEqual(['completed', 'error', 'completed'])
    expect(await retrieve('cedar')).toEqual(['A text of cedar.'])
    expect(await retrieve('broken')).not.toContain('A text of broken.')
  } finally {
    await query('DROP FUNCTION refuse_broken CASCADE')
  }
})

/** Its vectors come when `answer` is called. */
function createHeldModel() {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const model: Model = {
    name: 'writer',
    chat: () => {
      throw new Error('nobody writes here')
    },
    embedding_name: `held ${Math.random()}`,
    embed: async (texts, signal) => {
      asked.resolve()
      const stopped = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      await Promise.race([held.promise, stopped])
      return texts.map((text) => [text.length, 1])
    },
  }
  return { model, asked: asked.promise, answer: held.resolve }
}
const quality = { indexing_technique: 'high_quality' }

it('what is updated or deleted while a batch is indexed is not overwritten', async () => {
  const ids: string[] = []
  for (const name of ['kept', 'updated', 'moved']) ids.push(await create(name, `The text of ${name}.`, quality))
  for (const id of ids) await platform.settle(dataset, id)
  const { model, asked, answer } = createHeldModel()
  await indexAgain(model)
  await asked
  const [kept = '', updated = '', removed = ''] = ids
  expect((await update(updated, 'Another text.')).status).toBe(200)
  await query('UPDATE platform.documents SET removed_at = now() WHERE id = $1', [removed])
  answer()
  for (const id of [kept, updated])
    expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed', segment_count: 1 })
  expect(await listContents(kept)).toEqual(['The text of kept.'])
  expect(await listContents(updated)).toEqual(['Another text.'])
  await vi.waitFor(async () => {
    const passages = await query('SELECT document_id FROM platform.passages WHERE dataset_id = $1', [dataset])
    expect(passages).toHaveLength(2)
  })
})

it('a batch that is stopped waits again, and is indexed at the next start', async () => {
  const ids: string[] = []
  for (const name of ['ash', 'birch', 'cedar']) ids.push(await create(name, `The text of ${name}.`, quality))
  for (const id of ids) await platform.settle(dataset, id)
  const held = createHeldModel()
  await indexAgain(held.model)
  await held.asked
  await platform.close()
  const states = await query('SELECT indexing_status, run FROM platform.documents WHERE dataset_id = $1', [dataset])
  expect(states).toEqual(ids.map(() => ({ indexing_status: 'waiting', run: null })))
  platform = await openPlatform(store.database)
  for (const id of ids)
    expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed', segment_count: 1 })
})
