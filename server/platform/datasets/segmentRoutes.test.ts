import { describe, expect, it } from 'vitest'
import {
  anyInteger,
  anyUuid,
  listColumn,
  SEGMENT_PER_LINE,
  sendOvertaken,
  setupPlatform,
  UNKNOWN_ID,
} from './platform.fixture.ts'

const platform = setupPlatform()

const HIERARCHY = {
  doc_form: 'hierarchical_model',
  process_rule: {
    mode: 'hierarchical',
    rules: {
      pre_processing_rules: [],
      segmentation: { separator: '\n\n', max_tokens: 200 },
      parent_mode: 'paragraph',
      subchunk_segmentation: { separator: '\n', max_tokens: 50, chunk_overlap: 0 },
    },
  },
}

async function open(text: string, settings: Record<string, unknown> = SEGMENT_PER_LINE) {
  const id = await platform.newDataset()
  const document = await platform.addText(id, text, settings)
  const path = `/datasets/${id}/documents/${document['id']}/segments`
  const { body } = await platform.send('GET', path)
  const segments = listColumn(body['data'], 'id') as string[]
  return { id, document: document['id'], path, segments, first: `${path}/${segments[0]}` }
}

describe('segments', () => {
  it.each(['\u200B\u00AD', '\u0007\u0000', '\u2060 \uFEFF', '\u3164'])(
    'of nothing that can be seen are refused',
    async (content) => {
      const { id, path, first } = await open('one', HIERARCHY)
      for (const [method, at, body] of [
        ['POST', path, { segments: [{ content }] }],
        ['POST', first, { segment: { content } }],
        ['POST', `${first}/child_chunks`, { content }],
        ['POST', `/datasets/${id}/document/create-by-text`, { name: 'a', text: content }],
      ] as const)
        expect(await platform.send(method, at, body)).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('blank') as string },
        })
    },
  )

  it('are not read under another document or dataset', async () => {
    const one = await open('mine')
    const other = await open('theirs')
    for (const path of [
      `${one.path}/${UNKNOWN_ID}`,
      `${other.path}/${one.segments[0]}`,
      `/datasets/${other.id}/documents/${one.document}/segments/${one.segments[0]}`,
      `${one.path}/nonsense`,
    ])
      expect((await platform.send('GET', path)).body['code']).toBe('not_found')
  })

  it('are found by words that look the same', async () => {
    const text = '⽤⼾⽆法打开⽂档。\nＡＢＣ１２３ is a part.\nThe oﬃce.\n100% of 文档 are open.'
    const { path, id, segments } = await open(text)
    const list = async (keyword: string) =>
      listColumn(
        (await platform.send('GET', `${path}?keyword=${encodeURIComponent(keyword)}`)).body['data'],
        'position',
      )
    expect(await list('文档')).toEqual([1, 4])
    expect(await list('abc123')).toEqual([2])
    expect(await list('office')).toEqual([3])
    expect(await list('0%')).toEqual([4])
    await platform.send('POST', `${path}/${segments[1]}`, { segment: { keywords: ['Straßen\u00ADbahn'] } })
    expect(await list('STRASSENBAHN')).toEqual([2])
    expect((await platform.retrieve(id, '用户'))[0]?.segment['position']).toBe(1)
  })

  it('are listed by keyword and status', async () => {
    const { path } = await open('apple pie\nbanana\nAPPLE juice')
    const list = async (query: string) =>
      listColumn((await platform.send('GET', `${path}?${query}`)).body['data'], 'content')
    expect(await list('keyword=apple')).toEqual(['apple pie', 'APPLE juice'])
    expect(await list('limit=1&page=2')).toEqual(['banana'])
    expect(await list('status=completed&status=error')).toHaveLength(3)
    expect(await list('status=waiting')).toEqual([])
    expect((await platform.send('GET', `${path}?limit=101`)).status).toBe(400)
  })

  it('are added behind the others and found', async () => {
    const { id, path, document } = await open('one\ntwo')
    const { status, body } = await platform.send('POST', path, {
      segments: [{ content: 'an okapi grazes', keywords: ['okapi'] }, { content: 'a tapir sleeps' }],
    })
    expect(status).toBe(200)
    expect(listColumn(body['data'], 'position')).toEqual([3, 4])
    expect(body['data']?.[0]).toMatchObject({ keywords: ['okapi'], status: 'completed', word_count: 3 })
    expect((await platform.retrieve(id, 'okapi'))[0]?.segment['content']).toBe('an okapi grazes')
    expect((await platform.send('GET', `/datasets/${id}/documents/${document}`)).body).toMatchObject({
      segment_count: 4,
      word_count: 8,
    })
  })

  it.each([
    [{ segments: [] }, 'segments'],
    [{ segments: [{ content: ' ' }] }, 'segments.0.content'],
    [{ segments: [{ content: 'x', keywords: 'y' }] }, 'segments.0.keywords'],
    [{ segments: Array.from({ length: 1001 }, () => ({ content: 'x' })) }, 'segments'],
  ])('are refused when they are wrong', async (payload, field) => {
    const { path } = await open('one')
    const { status, body } = await platform.send('POST', path, payload)
    expect([status, body['code']]).toEqual([400, 'invalid_param'])
    expect(body['message']).toContain(field)
  })

  it('need an answer in Q&A form', async () => {
    const { path } = await open('Q: a\nA: b', { doc_form: 'qa_model' })
    const refused = await platform.send('POST', path, { segments: [{ content: 'why' }] })
    expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining('answer') as string])
    const taken = await platform.send('POST', path, { segments: [{ content: 'why', answer: 'because' }] })
    expect(taken.body['data']?.[0]).toMatchObject({ content: 'why', answer: 'because' })
    const listed = await platform.send('GET', `${path}?keyword=BÉCAUSE`)
    expect(listColumn(listed.body['data'], 'content')).toEqual(['why'])
  })

  it('are changed, and found by their new words alone', async () => {
    const { id, first } = await open('a lynx\na puma')
    const before = (await platform.send('GET', first)).body['data']
    const { status, body } = await platform.send('POST', first, {
      segment: { content: 'a caracal', keywords: ['cat'] },
    })
    expect(status).toBe(200)
    expect(body['data']).toMatchObject({ id: before?.['id'], content: 'a caracal', keywords: ['cat'] })
    expect(body['data']?.['index_node_hash']).not.toBe(before?.['index_node_hash'])
    expect(await platform.retrieve(id, 'lynx')).toEqual([])
    expect(await platform.retrieve(id, 'caracal')).toHaveLength(1)
    expect((await platform.send('POST', first, { segment: {} })).status).toBe(200)
    expect((await platform.send('POST', first, {})).body['message']).toContain('segment')
  })

  it('are not found while they are disabled, and only enabled then', async () => {
    const { id, first } = await open('a wombat digs')
    const off = await platform.send('POST', first, { segment: { enabled: false } })
    expect(off.body['data']).toMatchObject({ enabled: false, disabled_at: anyInteger, disabled_by: anyUuid })
    expect(await platform.retrieve(id, 'wombat')).toEqual([])
    expect((await platform.send('POST', first, { segment: { content: 'x' } })).status).toBe(400)
    const on = await platform.send('POST', first, { segment: { enabled: true } })
    expect(on.body['data']).toMatchObject({ enabled: true, disabled_at: null, disabled_by: null })
    expect(await platform.retrieve(id, 'wombat')).toHaveLength(1)
  })

  it('leave no fewer words than none when all that overlap are deleted', async () => {
    const text = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ')
    const segmentation = { separator: '\n\n', max_tokens: 60, chunk_overlap: 30 }
    const rules = { pre_processing_rules: [], segmentation }
    const { id, path, segments, document } = await open(text, { process_rule: { mode: 'custom', rules } })
    expect(segments.length).toBeGreaterThan(2)
    for (const segment of segments) await platform.send('DELETE', `${path}/${segment}`)
    const { body } = await platform.send('GET', `/datasets/${id}/documents/${document}`)
    expect(body).toMatchObject({ segment_count: 0, word_count: 0, tokens: 0 })
  })

  it('are deleted once by two requests at the same time', async () => {
    const { id, first, document } = await open('a heron\na crane')
    const replies = await Promise.all([platform.send('DELETE', first), platform.send('DELETE', first)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404])
    expect((await platform.send('GET', first)).status).toBe(404)
    expect(await platform.retrieve(id, 'heron')).toEqual([])
    expect((await platform.send('GET', `/datasets/${id}/documents/${document}`)).body).toMatchObject({ word_count: 2 })
  })

  it('keep both of two changes at the same time', async () => {
    const { id, first } = await open('a lynx\na puma')
    const { status, body } = await sendOvertaken(
      platform.database,
      () => platform.send('POST', first, { segment: { keywords: ['x'] } }),
      () => platform.send('POST', first, { segment: { content: 'a zebra' } }),
    )
    expect(status).toBe(200)
    expect(body['data']).toMatchObject({ content: 'a zebra', keywords: ['x'] })
    expect(await platform.retrieve(id, 'lynx')).toEqual([])
    expect(await platform.retrieve(id, 'zebra')).toHaveLength(1)
  })

  it('are not added to a document that is disabled', async () => {
    const { id, path, document } = await open('x')
    await platform.send('PATCH', `/datasets/${id}/documents/status/disable`, { document_ids: [document] })
    expect((await platform.send('POST', path, { segments: [{ content: 'y' }] })).body['code']).toBe('not_found')
  })
})

describe('child chunks', () => {
  const TEXT = 'Mammals are warm.\nBats can fly.\nWhales swim.\n\nBirds have feathers.\nPenguins swim too.'

  it('are made of parents, and lead to them', async () => {
    const { id, first, segments } = await open(TEXT, HIERARCHY)
    expect(segments).toHaveLength(2)
    expect((await platform.send('GET', first)).body['data']).toMatchObject({
      content: 'Mammals are warm.\nBats can fly.\nWhales swim.',
    })
    const { status, body } = await platform.send('GET', `${first}/child_chunks`)
    expect(status).toBe(200)
    expect(listColumn(body['data'], 'content')).toEqual(['Mammals are warm.', 'Bats can fly.', 'Whales swim.'])
    const [hit] = await platform.retrieve(id, 'bats fly')
    expect(hit?.segment['id']).toBe(segments[0])
    expect(hit?.child_chunks).toMatchObject([{ content: 'Bats can fly.', position: 2, score: hit?.score }])
  })

  it('are created, changed and deleted, and search follows', async () => {
    const { id, first, segments } = await open(TEXT, HIERARCHY)
    const created = await platform.send('POST', `${first}/child_chunks`, { content: 'The platypus lays eggs.' })
    expect(created.status).toBe(200)
    expect(created.body['data']).toMatchObject({ segment_id: segments[0], position: 4, type: 'customized', tokens: 7 })
    const child = `${first}/child_chunks/${created.body['data']?.['id']}`
    expect((await platform.retrieve(id, 'platypus'))[0]?.segment['id']).toBe(segments[0])
    const changed = await platform.send('PATCH', child, { content: 'The echidna lays eggs.' })
    expect(changed.body['data']).toMatchObject({
      id: created.body['data']?.['id'],
      content: 'The echidna lays eggs.',
      index_node_id: created.body['data']?.['index_node_id'],
    })
    expect(changed.body['data']?.['index_node_hash']).not.toBe(created.body['data']?.['index_node_hash'])
    expect(await platform.retrieve(id, 'platypus')).toEqual([])
    expect(await platform.retrieve(id, 'echidna')).toHaveLength(1)
    expect((await platform.send('DELETE', child)).status).toBe(204)
    expect(await platform.retrieve(id, 'echidna')).toEqual([])
    expect((await platform.send('PATCH', child, { content: 'x' })).status).toBe(404)
  })

  it('are not found if their parent is disabled while they are written', async () => {
    const { id, first } = await open(TEXT, HIERARCHY)
    const created = await sendOvertaken(
      platform.database,
      () => platform.send('POST', `${first}/child_chunks`, { content: 'The platypus lays eggs.' }),
      () => platform.send('POST', first, { segment: { enabled: false } }),
    )
    expect(created.status).toBe(200)
    expect(await platform.retrieve(id, 'platypus')).toEqual([])
    const child = `${first}/child_chunks/${created.body['data']?.['id']}`
    await sendOvertaken(
      platform.database,
      () => platform.send('PATCH', child, { content: 'The echidna lays eggs.' }),
      () => platform.send('POST', first, { segment: { enabled: true } }),
    )
    expect(await platform.retrieve(id, 'echidna')).toHaveLength(1)
  })

  it('stay when their parent is changed, unless they are to be made again', async () => {
    const { first } = await open(TEXT, HIERARCHY)
    const children = async () =>
      listColumn((await platform.send('GET', `${first}/child_chunks`)).body['data'], 'content')
    await platform.send('POST', first, { segment: { content: 'Only\nthis' } })
    expect(await children()).toHaveLength(3)
    await platform.send('POST', first, { segment: { content: 'Only\nthis', regenerate_child_chunks: true } })
    expect(await children()).toEqual(['Only', 'this'])
  })

  it('cover the whole document in full-doc mode', async () => {
    const rules = { ...HIERARCHY.process_rule.rules, parent_mode: 'full-doc' }
    const { first, segments } = await open(TEXT, { ...HIERARCHY, process_rule: { mode: 'hierarchical', rules } })
    expect(segments).toHaveLength(1)
    expect((await platform.send('GET', `${first}/child_chunks`)).body['total']).toBe(5)
  })
})
