import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { SEGMENT_PER_LINE, type TestReply } from '../datasets/platform.fixture.ts'
import { openTwoPlatforms, type TwoPlatforms } from '../datasets/twoPlatforms.fixture.ts'

describeWith(requirements.postgresql)('two platforms that index on one PostgreSQL', () => {
  let servers: TwoPlatforms
  beforeAll(async () => {
    servers = await openTwoPlatforms()
  })
  afterAll(() => servers.close())

  it('index each document once, also those that are updated meanwhile', async () => {
    const DOCUMENTS = 60
    const LINES = 5
    const [first, second] = [servers.first.platform, servers.second.platform]
    const dataset = await first.newDataset()
    const toText = (number: number, version: string) =>
      Array.from({ length: LINES }, (_, line) => `Line ${line} of ${number}, ${version}.`).join('\n')
    const ids = await Promise.all(
      Array.from({ length: DOCUMENTS }, async (_, number) => {
        const platform = number % 2 === 0 ? first : second
        const path = `/datasets/${dataset}/document/create-by-text`
        const { body } = await platform.send('POST', path, {
          name: `${number}`,
          text: toText(number, 'first'),
          ...SEGMENT_PER_LINE,
        })
        const id = String(body['document']?.['id'])
        if (number % 3 === 0)
          await platform.updateText(dataset, id, { name: `${number}`, text: toText(number, 'second') })
        return id
      }),
    )
    for (const id of ids)
      expect(await first.settle(dataset, id)).toMatchObject({ indexing_status: 'completed', error: null })
    const { rows } = await servers.first.database.pool.query<{ id: string; contents: string[]; passages: number }>(
      `SELECT d.id, (SELECT array_agg(content ORDER BY position) FROM platform.segments WHERE document_id = d.id) AS contents,
              (SELECT count(*)::int4 FROM platform.passages WHERE document_id = d.id) AS passages
         FROM platform.documents d WHERE dataset_id = $1`,
      [dataset],
    )
    const found = new Map(rows.map(({ id, ...rest }) => [id, rest]))
    for (const [number, id] of ids.entries())
      expect(found.get(id)).toEqual({
        contents: toText(number, number % 3 === 0 ? 'second' : 'first').split('\n'),
        passages: LINES,
      })
  })

  /** What a request answers while another transaction has locked the documents of the dataset, and goes on to `write`. */
  async function sendBeside(dataset: string, request: () => Promise<TestReply>, write: string): Promise<TestReply> {
    const client = await servers.second.database.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT 1 FROM platform.documents WHERE dataset_id = $1 FOR UPDATE', [dataset])
      const reply = request()
      await wait(200)
      await client.query(write, [dataset])
      await client.query('COMMIT')
      return await reply
    } finally {
      client.release()
    }
  }

  it('delete a dataset whose document is being written', async () => {
    const { platform } = servers.first
    const dataset = await platform.newDataset()
    await platform.addText(dataset, 'A quiet dataset.')
    const reply = await sendBeside(
      dataset,
      () => platform.send('DELETE', `/datasets/${dataset}`),
      'UPDATE platform.datasets SET changed = changed + 1 WHERE id = $1',
    )
    expect(reply.status).toBe(204)
  })

  it('search a dataset while a segment is being deleted', async () => {
    const { platform } = servers.first
    const dataset = await platform.newDataset()
    await platform.addText(dataset, 'A quiet dataset.')
    const search = () => platform.send('POST', `/datasets/${dataset}/retrieve`, { query: 'quiet' })
    expect((await search()).status).toBe(200)
    const reply = await sendBeside(
      dataset,
      search,
      `DELETE FROM platform.hits WHERE segment_id IN (
         SELECT s.id FROM platform.segments s JOIN platform.documents d ON d.id = s.document_id WHERE d.dataset_id = $1)`,
    )
    expect(reply.status).toBe(200)
  })
})
