import { adjacent } from '#contract/adjacent.ts'
import { contract } from '#contract/index.ts'
import { ChildChunk, Segment } from './fields.ts'
import { PARAGRAPHS, settled, type Ids } from './things.ts'
import { at, listAt, requestOf, type Suite } from './suite.ts'

const entries = contract.segments

/** Operations 7 to 10: of a parent segment and its children, and of a question with its answer. */
export async function segments(
  suite: Suite,
  dataset_id: string,
): Promise<Pick<Ids, 'document_id' | 'segment_id' | 'child_chunk_id'>> {
  const document_id = await add(suite, dataset_id, {
    name: 'Parents',
    text: PARAGRAPHS.join('\n\n'),
    doc_form: 'hierarchical_model',
    process_rule: {
      mode: 'hierarchical',
      rules: {
        pre_processing_rules: [],
        segmentation: { separator: '\n\n', max_tokens: 100 },
        parent_mode: 'paragraph',
        subchunk_segmentation: { separator: '\n', max_tokens: 50, chunk_overlap: 0 },
      },
    },
  })
  const segment_id = await firstSegment(suite, { dataset_id, document_id })
  const params = { dataset_id, document_id, segment_id }
  const read = await suite.answers('7 read segment', entries.read, { params })
  suite.fits('7 read segment: its fields', Segment, at(read, 'data'))
  suite.equal('7 read segment: its form', at(read, 'doc_form'), 'hierarchical_model')
  suite.equal('7 read segment: its text', at(read, 'data', 'content'), PARAGRAPHS[0])
  await answer(suite, dataset_id)
  return { document_id, segment_id, child_chunk_id: await children(suite, params) }
}

async function answer(suite: Suite, dataset_id: string): Promise<void> {
  const document_id = await add(suite, dataset_id, {
    name: 'Questions',
    text: 'Q: How hot is the water?\nA: 80 degrees.',
    doc_form: 'qa_model',
    doc_language: 'English',
    process_rule: { mode: 'automatic' },
  })
  const segment_id = await firstSegment(suite, { dataset_id, document_id })
  const read = await suite.answers('7 read segment in Q&A form', entries.read, {
    params: { dataset_id, document_id, segment_id },
  })
  suite.fits('7 read segment in Q&A form: its fields', { ...Segment, answer: 'string' }, at(read, 'data'))
  suite.equal('7 read segment in Q&A form: its answer', at(read, 'data', 'answer'), '80 degrees.')
}

async function children(suite: Suite, params: Record<string, string>): Promise<string> {
  const list = (name: string, query = '') => suite.answers(name, entries.listChildChunks, { params, query })
  const all = await list('8 list child chunks')
  for (const [index, record] of listAt(all, 'data').entries())
    suite.fits(`8 list child chunks: fields of record ${index + 1}`, ChildChunk, record)
  suite.equal(
    '8 list child chunks: page, limit, total and pages',
    ['page', 'limit', 'total', 'total_pages'].map((name) => at(all, name)),
    [1, 20, 2, 1],
  )
  const one = await list('8 list child chunks, one a page', 'limit=1&page=2')
  suite.equal('8 list child chunks: one a page', [listAt(one, 'data').length, at(one, 'total_pages')], [1, 2])
  const some = await list('8 list child chunks, by keyword', 'keyword=degrees')
  suite.equal('8 list child chunks: by keyword', at(some, 'total'), 1)
  for (const query of ['limit=0', 'limit=x', 'page=0'])
    await suite.refuses(`8 list child chunks: ${query}`, requestOf(entries.listChildChunks, { params, query }), 400)
  const many = await suite.ask(requestOf(entries.listChildChunks, { params, query: 'limit=101' }))
  const isBounded = many.status === 400 || at(many.body, 'limit') === 100
  suite.holds('8 list child chunks: limit=101 is refused or lowered', isBounded, many.body)

  const made = await suite.answers('9 create child chunk', entries.createChildChunk, {
    params,
    body: { content: 'A third line.' },
  })
  suite.fits('9 create child chunk: its fields', ChildChunk, at(made, 'data'))
  suite.equal('9 create child chunk: its text', at(made, 'data', 'content'), 'A third line.')
  suite.equal('9 create child chunk: its parent', at(made, 'data', 'segment_id'), params['segment_id'])
  const child_chunk_id = String(at(made, 'data', 'id'))
  const changed = await suite.answers('10 update child chunk', entries.updateChildChunk, {
    params: { ...params, child_chunk_id },
    body: { content: '第三行，改过了。' },
  })
  suite.fits('10 update child chunk: its fields', ChildChunk, at(changed, 'data'))
  suite.equal('10 update child chunk: its text', at(changed, 'data', 'content'), '第三行，改过了。')
  suite.holds(
    '10 update child chunk: its hash is another',
    at(changed, 'data', 'index_node_hash') !== at(made, 'data', 'index_node_hash'),
  )
  suite.equal('10 update child chunk: it is in the list', at(await list('8 list child chunks again'), 'total'), 3)
  return child_chunk_id
}

async function add(suite: Suite, dataset_id: string, body: object): Promise<string> {
  const request = { params: { dataset_id }, body: { indexing_technique: 'economy', ...body } }
  const receipt = await suite.answers('3 create document, for segments', contract.documents.createByText, request)
  const document_id = String(at(receipt, 'document', 'id'))
  const done = await settled(suite, dataset_id, document_id)
  suite.equal('3 create document, for segments: it is indexed', at(done, 'indexing_status'), 'completed')
  return document_id
}

/** The interface document has no list of segments; every platform known has this one. */
async function firstSegment(suite: Suite, params: { dataset_id: string; document_id: string }): Promise<string> {
  const { body } = await suite.ask(requestOf(adjacent.listSegments, { params }))
  return String(at(body, 'data', 0, 'id'))
}
