import { beforeEach, expect, it, vi } from 'vitest'
import { SEGMENT_PER_LINE, setupPlatform } from '../datasets/platform.fixture.ts'
import type { Model } from '../model/model.ts'

const platform = setupPlatform()
let dataset: string
beforeEach(async () => {
  dataset = await platform.newDataset()
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
const query = <Row extends object>(sql: string, values: unknown[] = []) =>
  platform.database.pool.query<Row>(sql, values).then(({ rows }) => rows)

/** Stops the platform, lets all documents wait, and starts it again: they are claimed together. */
async function indexAgain(model: Model | null = null): Promise<void> {
  await platform.close()
  await query(
    `UPDATE platform.documents SET indexing_status = 'waiting', version = version + 1 WHERE dataset_id = $1`,
    [dataset],
  )
  await platform.reopen({ model })
}

it('documents of all forms are indexed together as they are alone', async () => {
  const ids = [
    await create('Lines', 'one\ntwo', SEGMENT_PER_LINE),
    await create('Parents', 'ant, ape; bee', hierarchical),
    await create('Answers', 'Q: Why?\nA: Saffron.', { doc_form: 'qa_model', ...SEGMENT_PER_LINE }),
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
  expect(await platform.listContents(dataset, ids[0])).toEqual(['one', 'two'])
  expect(await platform.listContents(dataset, ids[1])).toEqual(['ant, ape', 'bee'])
  expect(await platform.retrieveContents(dataset, 'ape')).toEqual(['ant, ape'])
  expect(await platform.retrieveContents(dataset, 'saffron')).toEqual(['Why?'])
  const [counts] = await query(
    `SELECT (SELECT count(*)::int4 FROM platform.passages WHERE dataset_id = $1) AS passages,
            (SELECT sum(passages)::int4 FROM platform.documents WHERE dataset_id = $1) AS counted`,
    [dataset],
  )
  expect(counts).toEqual({ passages: 6, counted: 6 })
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
    expect(await platform.retrieveContents(dataset, 'cedar')).toEqual(['A text of cedar.'])
    expect(await platform.retrieveContents(dataset, 'broken')).not.toContain('A text of broken.')
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
  expect((await platform.updateText(dataset, updated, { name: 'Updated', text: 'Another text.' })).status).toBe(200)
  await query('UPDATE platform.documents SET removed_at = now() WHERE id = $1', [removed])
  answer()
  for (const id of [kept, updated])
    expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed', segment_count: 1 })
  expect(await platform.listContents(dataset, kept)).toEqual(['The text of kept.'])
  expect(await platform.listContents(dataset, updated)).toEqual(['Another text.'])
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
  await platform.reopen()
  for (const id of ids)
    expect(await platform.settle(dataset, id)).toMatchObject({ indexing_status: 'completed', segment_count: 1 })
})
