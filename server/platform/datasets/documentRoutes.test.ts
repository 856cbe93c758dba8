import { describe, expect, it } from 'vitest'
import {
  anyInteger,
  anyUuid,
  createCustomRule,
  listColumn,
  SEGMENT_PER_LINE,
  setupPlatform,
} from './platform.fixture.ts'

const platform = setupPlatform()

const create = (dataset_id: string, body: Record<string, unknown>) =>
  platform.send('POST', `/datasets/${dataset_id}/document/create-by-text`, body)

describe('create-by-text', () => {
  it('answers at once with a document that waits, and indexes it', async () => {
    const id = await platform.newDataset()
    const { status, body } = await create(id, { name: 'Notes', text: 'One two three.', indexing_technique: 'economy' })
    expect(status).toBe(200)
    expect(body['batch']).toMatch(/^\d{20}$/)
    expect(body['document']).toMatchObject({
      id: anyUuid,
      name: 'Notes',
      indexing_status: 'waiting',
      display_status: 'queuing',
      data_source_detail_dict: { upload_file: { size: 14, extension: 'txt' } },
      tokens: 0,
    })
    const done = await platform.settle(id, String(body['document']?.['id']))
    expect(done).toMatchObject({
      indexing_status: 'completed',
      display_status: 'available',
      word_count: 3,
      tokens: 4,
      segment_count: 1,
      completed_at: anyInteger,
      indexing_latency: anyInteger,
      doc_language: 'English',
    })
    const dataset = await platform.send('GET', `/datasets/${id}`)
    expect(dataset.body).toMatchObject({
      document_count: 1,
      word_count: 3,
      indexing_technique: 'economy',
      data_source_type: 'upload_file',
      doc_form: 'text_model',
      total_available_documents: 1,
    })
  })

  it('says how far a batch has come', async () => {
    const id = await platform.newDataset()
    const { body } = await create(id, { name: 'Batch', text: 'a\nb\nc', ...SEGMENT_PER_LINE })
    await platform.settle(id, String(body['document']?.['id']))
    const progress = await platform.send('GET', `/datasets/${id}/documents/${body['batch']}/indexing-status`)
    expect(progress.body['data']).toEqual([
      {
        id: body['document']?.['id'],
        indexing_status: 'completed',
        processing_started_at: anyInteger,
        parsing_completed_at: anyInteger,
        cleaning_completed_at: anyInteger,
        splitting_completed_at: anyInteger,
        completed_at: anyInteger,
        paused_at: null,
        error: null,
        stopped_at: null,
        completed_segments: 3,
        total_segments: 3,
      },
    ])
    const missing = await platform.send('GET', `/datasets/${id}/documents/20200101000000123456/indexing-status`)
    expect(missing.status).toBe(404)
  })

  it('follows the process rule, and uses it again for the next document', async () => {
    const id = await platform.newDataset()
    const rule = createCustomRule(
      { separator: '###', max_tokens: 50 },
      { remove_urls_emails: true, remove_extra_spaces: true },
    )
    const text = 'See   https://example.com/x?y=1 for more###Write to jane.doe@example.com today###three'
    const first = await platform.addText(id, text, { process_rule: rule })
    expect(await platform.listContents(id, first['id'])).toEqual(['See for more', 'Write to today', 'three'])
    const second = await platform.addText(id, 'four###five')
    expect(await platform.listContents(id, second['id'])).toEqual(['four', 'five'])
    expect(second['dataset_process_rule_id']).toEqual(first['dataset_process_rule_id'])
    const same = await platform.addText(id, 'six###seven', { process_rule: rule })
    expect(same['dataset_process_rule_id']).toEqual(first['dataset_process_rule_id'])
    const other = await platform.addText(id, 'eight;nine', { process_rule: createCustomRule({ separator: ';' }) })
    expect(other['dataset_process_rule_id']).not.toEqual(first['dataset_process_rule_id'])
    expect(await platform.listContents(id, other['id'])).toEqual(['eight', 'nine'])
    expect(second['document_process_rule']).toMatchObject({
      mode: 'custom',
      rules: { segmentation: { separator: '###' } },
    })
  })

  it('makes questions and answers of a text that has none', async () => {
    const id = await platform.newDataset()
    const text = 'Loupe keeps runs. It also keeps keys.'
    const document = await platform.addText(id, text, { doc_form: 'qa_model' })
    const made = await platform.listSegments(id, document['id'])
    expect(made['data']?.[0]).toMatchObject({ content: 'Loupe keeps runs.', answer: text })
  })

  it('refuses a rule that is wrong, names the field, and adds no document', async () => {
    const id = await platform.newDataset()
    const wrongRules: [object, string][] = [
      [{ mode: 'magic' }, 'process_rule.mode'],
      [{ mode: 'custom' }, 'process_rule.rules'],
      [{ mode: 'custom', rules: {} }, 'segmentation'],
      [createCustomRule({ separator: '' }), 'separator'],
      [createCustomRule({ separator: 'x'.repeat(257) }), 'separator'],
      [createCustomRule({ max_tokens: 0 }), 'max_tokens'],
      [createCustomRule({ max_tokens: 4001 }), 'max_tokens'],
      [createCustomRule({ max_tokens: 50, chunk_overlap: 50 }), 'chunk_overlap'],
      [createCustomRule({}, { make_coffee: true }), 'pre_processing_rules.0.id'],
      [{ mode: 'hierarchical', rules: { parent_mode: 'aunt' } }, 'parent_mode'],
    ]
    for (const [process_rule, field] of wrongRules) {
      const reply = await create(id, { name: 'x', text: 'x', process_rule })
      expect([reply.status, reply.body['code']]).toEqual([400, 'invalid_param'])
      expect(reply.body['message']).toContain(field)
    }
    expect((await platform.send('GET', `/datasets/${id}/documents`)).body['total']).toBe(0)
  })

  it('refuses more than 15 MB with 413, and an external dataset with 400', async () => {
    const id = await platform.newDataset()
    const big = await create(id, { name: 'big', text: 'x'.repeat(15 * 1024 * 1024 + 1) })
    expect([big.status, big.body['code']]).toEqual([413, 'file_too_large'])
    const external = await platform.newDataset({
      provider: 'external',
      external_knowledge_api_id: 'a',
      external_knowledge_id: 'k',
    })
    expect((await create(external, { name: 'x', text: 'x' })).body['code']).toBe('invalid_param')
  })
})

describe('update-by-text', () => {
  it('makes all segments again, under the same batch', async () => {
    const id = await platform.newDataset()
    const before = await platform.addText(id, 'the walrus sleeps')
    const segment = await firstSegment(id, before['id'])
    const { status, body } = await platform.updateText(id, before['id'], { name: 'Renamed', text: 'the penguin swims' })
    expect(status).toBe(200)
    expect(body['document']).toMatchObject({ id: before['id'], name: 'Renamed', indexing_status: 'waiting' })
    const again = await platform.updateText(id, before['id'], { name: 'Renamed', text: 'the penguin swims' })
    expect(again.body['batch']).toBe(body['batch'])
    const done = await platform.settle(id, String(before['id']))
    expect(await platform.listContents(id, before['id'])).toEqual(['the penguin swims'])
    expect((await firstSegment(id, done['id']))['id']).not.toBe(segment['id'])
    const lost = await platform.send('GET', `/datasets/${id}/documents/${before['id']}/segments/${segment['id']}`)
    expect(lost.status).toBe(404)
    expect(await platform.retrieveContents(id, 'walrus')).toEqual([])
    expect(await platform.retrieveContents(id, 'penguin')).toEqual(['the penguin swims'])
  })

  it('renames without indexing again, and applies a rule to the text that is there', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'a;b')
    const renamed = await platform.updateText(id, document['id'], { name: 'Only a name' })
    expect(renamed.body['document']).toMatchObject({ name: 'Only a name', indexing_status: 'completed' })
    expect((await platform.updateText(id, document['id'], {})).status).toBe(200)
    await platform.updateText(id, document['id'], { process_rule: createCustomRule({ separator: ';' }) })
    await platform.settle(id, String(document['id']))
    expect(await platform.listContents(id, document['id'])).toEqual(['a', 'b'])
  })

  it('keeps what each of two updates at the same time has changed', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'the walrus sleeps')
    const replies = await Promise.all([
      platform.updateText(id, document['id'], { text: 'the penguin swims' }),
      platform.updateText(id, document['id'], { name: 'Renamed' }),
      platform.updateText(id, document['id'], { text: 'the heron stands' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const done = await platform.settle(id, String(document['id']))
    expect(done).toMatchObject({ name: 'Renamed', indexing_status: 'completed' })
    expect(await platform.listContents(id, document['id'])).toHaveLength(1)
  })

  it('ends as the latest version, once, when it is updated while it is indexed', async () => {
    const id = await platform.newDataset()
    const long = Array.from({ length: 3000 }, (_, index) => `line ${index} of the first version`).join('\n')
    const { body } = await create(id, { name: 'moving', text: long, ...SEGMENT_PER_LINE })
    const document = body['document']?.['id']
    for (let version = 2; version <= 6; version++) {
      const text = Array.from({ length: 400 }, (_, index) => `line ${index} of version ${version}`).join('\n')
      expect((await platform.updateText(id, document, { name: 'moving', text })).status).toBe(200)
      // Some of the versions are begun before the next one comes.
      await platform.send('GET', `/datasets/${id}/documents`)
    }
    const done = await platform.settle(id, String(document))
    expect(done).toMatchObject({ indexing_status: 'completed', segment_count: 400 })
    const contents = await allContents(id, document)
    expect(contents).toEqual(Array.from({ length: 400 }, (_, index) => `line ${index} of version 6`))
  })

  it('refuses an archived document, and one of another dataset', async () => {
    const id = await platform.newDataset()
    const other = await platform.newDataset()
    const document = await platform.addText(id, 'kept')
    expect((await platform.updateText(other, document['id'], { name: 'x', text: 'x' })).status).toBe(404)
    await platform.setStatus(id, 'archive', [document['id']])
    const refused = await platform.updateText(id, document['id'], { name: 'x', text: 'x' })
    expect([refused.status, refused.body['code']]).toEqual([403, 'archived_document_immutable'])
  })
})

async function firstSegment(dataset_id: string, id: unknown) {
  const segment = (await platform.listSegments(dataset_id, id))['data']?.[0]
  if (!segment) throw new Error('no segment')
  return segment
}
async function allContents(dataset_id: string, id: unknown): Promise<unknown[]> {
  const contents: unknown[] = []
  for (let page = 1; ; page++) {
    const body = await platform.listSegments(dataset_id, id, page)
    contents.push(...listColumn(body['data'], 'content'))
    if (!body['has_more']) return contents
  }
}
