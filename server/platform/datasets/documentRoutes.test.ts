import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listColumn, openPlatform, openPlatformDatabase, type OpenPlatform } from './platform.fixture.ts'

let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let platform: OpenPlatform
beforeAll(async () => {
  store = await openPlatformDatabase()
  platform = await openPlatform(store.database)
})
afterAll(async () => {
  await platform.close()
  await store.close()
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const integer = expect.any(Number) as number
const uuid = expect.stringMatching(UUID) as string
const unknown = '00000000-0000-4000-8000-000000000000'

const create = (dataset_id: string, body: Record<string, unknown>) =>
  platform.send('POST', `/datasets/${dataset_id}/document/create-by-text`, body)

describe('create-by-text', () => {
  it('answers at once with a document that waits, and indexes it', async () => {
    const id = await platform.newDataset()
    const { status, body } = await create(id, { name: 'Notes', text: 'One two three.', indexing_technique: 'economy' })
    expect(status).toBe(200)
    expect(body['batch']).toMatch(/^\d{20}$/)
    expect(body['document']).toEqual({
      id: uuid,
      position: 1,
      data_source_type: 'upload_file',
      data_source_info: { upload_file_id: uuid },
      data_source_detail_dict: { upload_file: expect.objectContaining({ size: 14, extension: 'txt' }) as object },
      dataset_process_rule_id: uuid,
      name: 'Notes',
      created_from: 'api',
      created_by: uuid,
      created_at: integer,
      tokens: 0,
      indexing_status: 'waiting',
      error: null,
      enabled: true,
      disabled_at: null,
      disabled_by: null,
      archived: false,
      display_status: 'queuing',
      word_count: 0,
      hit_count: 0,
      doc_form: 'text_model',
      doc_metadata: [],
      summary_index_status: null,
      need_summary: false,
    })
    const done = await platform.settle(id, String(body['document']?.['id']))
    expect(done).toMatchObject({
      indexing_status: 'completed',
      display_status: 'available',
      word_count: 3,
      tokens: 4,
      segment_count: 1,
      completed_at: integer,
      indexing_latency: integer,
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
    const { body } = await create(id, { name: 'Batch', text: 'a\nb\nc', process_rule: custom({ separator: '\n' }) })
    await platform.settle(id, String(body['document']?.['id']))
    const progress = await platform.send('GET', `/datasets/${id}/documents/${body['batch']}/indexing-status`)
    expect(progress.body['data']).toEqual([
      {
        id: body['document']?.['id'],
        indexing_status: 'completed',
        processing_started_at: integer,
        parsing_completed_at: integer,
        cleaning_completed_at: integer,
        splitting_completed_at: integer,
        completed_at: integer,
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
    const rule = custom({ separator: '###', max_tokens: 50 }, { remove_urls_emails: true, remove_extra_spaces: true })
    const text = 'See   https://example.com/x?y=1 for more###Write to jane.doe@example.com today###three'
    const first = await platform.addText(id, text, { process_rule: rule })
    expect(await listContents(id, first['id'])).toEqual(['See for more', 'Write to today', 'three'])
    const second = await platform.addText(id, 'four###five')
    expect(await listContents(id, second['id'])).toEqual(['four', 'five'])
    expect(second['dataset_process_rule_id']).toEqual(first['dataset_process_rule_id'])
    const same = await platform.addText(id, 'six###seven', { process_rule: rule })
    expect(same['dataset_process_rule_id']).toEqual(first['dataset_process_rule_id'])
    const other = await platform.addText(id, 'eight;nine', { process_rule: custom({ separator: ';' }) })
    expect(other['dataset_process_rule_id']).not.toEqual(first['dataset_process_rule_id'])
    expect(await listContents(id, other['id'])).toEqual(['eight', 'nine'])
    expect(second['document_process_rule']).toMatchObject({
      mode: 'custom',
      rules: { segmentation: { separator: '###' } },
    })
  })

  it('decodes typed escapes of a separator and takes the rest literally', async () => {
    const id = await platform.newDataset()
    const lines = await platform.addText(id, 'a\n\nb.*c\n\nd', { process_rule: custom({ separator: '\\n\\n' }) })
    expect(await listContents(id, lines['id'])).toEqual(['a', 'b.*c', 'd'])
    const pattern = await platform.addText(id, 'a.*b and axb', { process_rule: custom({ separator: '.*' }) })
    expect(await listContents(id, pattern['id'])).toEqual(['a', 'b and axb'])
  })

  it('reads questions and answers', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'Q: Why?\nA: Because.\nReally.\n问：谁？\n答：我。', {
      doc_form: 'qa_model',
    })
    const { body } = await platform.send('GET', `/datasets/${id}/documents/${document['id']}/segments`)
    expect([listColumn(body['data'], 'content'), listColumn(body['data'], 'answer')]).toEqual([
      ['Why?', '谁？'],
      ['Because.\nReally.', '我。'],
    ])
    expect(body['doc_form']).toBe('qa_model')
    const plain = await platform.addText(id, 'Loupe keeps runs. It also keeps keys.', { doc_form: 'qa_model' })
    const made = await platform.send('GET', `/datasets/${id}/documents/${plain['id']}/segments`)
    expect(made.body['data']?.[0]).toMatchObject({
      content: 'Loupe keeps runs.',
      answer: 'Loupe keeps runs. It also keeps keys.',
    })
  })

  it.each([
    [{ text: 'x' }, 'name'],
    [{ name: 'x' }, 'text'],
    [{ name: '', text: 'x' }, 'name'],
    [{ name: 'x'.repeat(256), text: 'x' }, 'name'],
    [{ name: 'x', text: '' }, 'text'],
    [{ name: 'x', text: ' \n ' }, 'text'],
    [{ name: 'x', text: 5 }, 'text'],
    [{ name: 'x', text: 'x', doc_form: 'other' }, 'doc_form'],
    [{ name: 'x', text: 'x', indexing_technique: 'other' }, 'indexing_technique'],
    [{ name: 'x', text: 'x', process_rule: { mode: 'magic' } }, 'process_rule.mode'],
    [{ name: 'x', text: 'x', process_rule: { mode: 'custom' } }, 'process_rule.rules'],
    [{ name: 'x', text: 'x', process_rule: { mode: 'custom', rules: {} } }, 'segmentation'],
    [{ name: 'x', text: 'x', process_rule: custom({ separator: '' }) }, 'separator'],
    [{ name: 'x', text: 'x', process_rule: custom({ separator: 'x'.repeat(257) }) }, 'separator'],
    [{ name: 'x', text: 'x', process_rule: custom({ max_tokens: 0 }) }, 'max_tokens'],
    [{ name: 'x', text: 'x', process_rule: custom({ max_tokens: 4001 }) }, 'max_tokens'],
    [{ name: 'x', text: 'x', process_rule: custom({ max_tokens: 50, chunk_overlap: 50 }) }, 'chunk_overlap'],
    [{ name: 'x', text: 'x', process_rule: custom({}, { make_coffee: true }) }, 'pre_processing_rules.0.id'],
    [{ name: 'x', text: 'x', process_rule: { mode: 'hierarchical', rules: { parent_mode: 'aunt' } } }, 'parent_mode'],
  ])('refuses %j and names the field', async (body, field) => {
    const id = await platform.newDataset()
    const reply = await create(id, body)
    expect([reply.status, reply.body['code']]).toEqual([400, 'invalid_param'])
    expect(reply.body['message']).toContain(field)
    expect((await platform.send('GET', `/datasets/${id}/documents`)).body['total']).toBe(0)
  })

  it('refuses more than 15 MB with 413, an unknown dataset with 404, an external one with 400', async () => {
    const id = await platform.newDataset()
    const big = await create(id, { name: 'big', text: 'x'.repeat(15 * 1024 * 1024 + 1) })
    expect([big.status, big.body['code']]).toEqual([413, 'file_too_large'])
    expect((await create(unknown, { name: 'x', text: 'x' })).body['code']).toBe('not_found')
    const external = await platform.newDataset({
      provider: 'external',
      external_knowledge_api_id: 'a',
      external_knowledge_id: 'k',
    })
    expect((await create(external, { name: 'x', text: 'x' })).body['code']).toBe('invalid_param')
  })

  it('keeps the reason when a rule cuts a text into crumbs', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'x.'.repeat(100_001), { process_rule: custom({ separator: '.' }) })
    expect(document).toMatchObject({ indexing_status: 'error', display_status: 'error' })
    expect(document['error']).toContain('100000 segments')
    const again = await platform.send('POST', `/datasets/${id}/documents/${document['id']}/update-by-text`, {
      name: 'better',
      text: 'x.',
    })
    expect(again.status).toBe(200)
    expect(await platform.settle(id, String(document['id']))).toMatchObject({
      indexing_status: 'completed',
      error: null,
    })
  })
})

describe('update-by-text', () => {
  it('makes all segments again, under the same batch', async () => {
    const id = await platform.newDataset()
    const before = await platform.addText(id, 'the walrus sleeps')
    const segment = await firstSegment(id, before['id'])
    const { status, body } = await update(id, before['id'], { name: 'Renamed', text: 'the penguin swims' })
    expect(status).toBe(200)
    expect(body['document']).toMatchObject({ id: before['id'], name: 'Renamed', indexing_status: 'waiting' })
    const again = await update(id, before['id'], { name: 'Renamed', text: 'the penguin swims' })
    expect(again.body['batch']).toBe(body['batch'])
    const done = await platform.settle(id, String(before['id']))
    expect(await listContents(id, before['id'])).toEqual(['the penguin swims'])
    expect((await firstSegment(id, done['id']))['id']).not.toBe(segment['id'])
    const lost = await platform.send('GET', `/datasets/${id}/documents/${before['id']}/segments/${segment['id']}`)
    expect(lost.status).toBe(404)
    expect(await retrieveContents(id, 'walrus')).toEqual([])
    expect(await retrieveContents(id, 'penguin')).toEqual(['the penguin swims'])
  })

  it('renames without indexing again, and applies a rule to the text that is there', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'a;b')
    const renamed = await update(id, document['id'], { name: 'Only a name' })
    expect(renamed.body['document']).toMatchObject({ name: 'Only a name', indexing_status: 'completed' })
    expect((await update(id, document['id'], {})).status).toBe(200)
    await update(id, document['id'], { process_rule: custom({ separator: ';' }) })
    await platform.settle(id, String(document['id']))
    expect(await listContents(id, document['id'])).toEqual(['a', 'b'])
  })

  it('keeps what each of two updates at the same time has changed', async () => {
    const id = await platform.newDataset()
    const document = await platform.addText(id, 'the walrus sleeps')
    const replies = await Promise.all([
      update(id, document['id'], { text: 'the penguin swims' }),
      update(id, document['id'], { name: 'Renamed' }),
      update(id, document['id'], { text: 'the heron stands' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const done = await platform.settle(id, String(document['id']))
    expect(done).toMatchObject({ name: 'Renamed', indexing_status: 'completed' })
    expect(await listContents(id, document['id'])).toHaveLength(1)
  })

  it('ends as the latest version, once, when it is updated while it is indexed', async () => {
    const id = await platform.newDataset()
    const rule = { process_rule: custom({ separator: '\n' }) }
    const long = Array.from({ length: 3000 }, (_, index) => `line ${index} of the first version`).join('\n')
    const { body } = await create(id, { name: 'moving', text: long, ...rule })
    const document = body['document']?.['id']
    for (let version = 2; version <= 6; version++) {
      const text = Array.from({ length: 400 }, (_, index) => `line ${index} of version ${version}`).join('\n')
      expect((await update(id, document, { name: 'moving', text })).status).toBe(200)
      // Some of the versions are begun before the next one comes.
      await platform.send('GET', `/datasets/${id}/documents`)
    }
    const done = await platform.settle(id, String(document))
    expect(done).toMatchObject({ indexing_status: 'completed', segment_count: 400 })
    const contents = await allContents(id, document)
    expect(contents).toEqual(Array.from({ length: 400 }, (_, index) => `line ${index} of version 6`))
  })

  it('refuses an unknown or archived document', async () => {
    const id = await platform.newDataset()
    const other = await platform.newDataset()
    const document = await platform.addText(id, 'kept')
    expect((await update(id, unknown, { name: 'x', text: 'x' })).status).toBe(404)
    expect((await update(other, document['id'], { name: 'x', text: 'x' })).status).toBe(404)
    await setStatus(id, 'archive', [document['id']])
    const refused = await update(id, document['id'], { name: 'x', text: 'x' })
    expect([refused.status, refused.body['code']]).toEqual([403, 'archived_document_immutable'])
  })
})

function custom(segmentation: Record<string, unknown>, switches: Record<string, boolean> = {}) {
  const pre_processing_rules = Object.entries(switches).map(([id, enabled]) => ({ id, enabled }))
  return {
    mode: 'custom',
    rules: { pre_processing_rules, segmentation: { separator: '\n', max_tokens: 500, ...segmentation } },
  }
}

type Id = unknown
const update = (dataset_id: string, id: Id, body: Record<string, unknown>) =>
  platform.send('POST', `/datasets/${dataset_id}/documents/${String(id)}/update-by-text`, body)
const setStatus = (dataset_id: string, action: string, document_ids: unknown[]) =>
  platform.send('PATCH', `/datasets/${dataset_id}/documents/status/${action}`, { document_ids })

const listSegments = async (dataset_id: string, id: Id, page = 1) =>
  (await platform.send('GET', `/datasets/${dataset_id}/documents/${String(id)}/segments?limit=100&page=${page}`)).body
const listContents = async (dataset_id: string, id: Id) =>
  listColumn((await listSegments(dataset_id, id))['data'], 'content')
const firstSegment = async (dataset_id: string, id: Id) => {
  const segment = (await listSegments(dataset_id, id))['data']?.[0]
  if (!segment) throw new Error('no segment')
  return segment
}
async function allContents(dataset_id: string, id: Id): Promise<unknown[]> {
  const contents: unknown[] = []
  for (let page = 1; ; page++) {
    const body = await listSegments(dataset_id, id, page)
    contents.push(...listColumn(body['data'], 'content'))
    if (!body['has_more']) return contents
  }
}
async function retrieveContents(dataset_id: string, query: string): Promise<unknown[]> {
  const { body } = await platform.send('POST', `/datasets/${dataset_id}/retrieve`, { query })
  return listColumn(body['records'], 'segment').map((segment) => (segment as { content: unknown }).content)
}
