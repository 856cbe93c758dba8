import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { ChildChunk, Segment } from './fieldTables.ts'
import { SAMPLE_PARAGRAPHS, waitForIndexing, type ResourceIds } from './conformanceResources.ts'
import { readPath, readList, toRequest, type ConformanceSuite } from './conformanceSuite.ts'

const entries = contract.segments

/** Operations 7 to 10: of a parent segment and its children, and of a question with its answer. */
export async function checkSegments(
  suite: ConformanceSuite,
  dataset_id: string,
): Promise<Pick<ResourceIds, 'document_id' | 'segment_id' | 'child_chunk_id'>> {
  const document_id = await addDocument(suite, dataset_id, {
    name: 'Parents',
    text: SAMPLE_PARAGRAPHS.join('\n\n'),
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
  const read = await suite.expectReply('7 read segment', entries.read, { params })
  suite.expectFields('7 read segment: its fields', Segment, readPath(read, 'data'))
  suite.expectEqual('7 read segment: its form', readPath(read, 'doc_form'), 'hierarchical_model')
  suite.expectEqual('7 read segment: its text', readPath(read, 'data', 'content'), SAMPLE_PARAGRAPHS[0])
  await checkAnswerSegment(suite, dataset_id)
  return { document_id, segment_id, child_chunk_id: await checkChildChunks(suite, params) }
}

async function checkAnswerSegment(suite: ConformanceSuite, dataset_id: string): Promise<void> {
  const document_id = await addDocument(suite, dataset_id, {
    name: 'Questions',
    text: 'Q: How hot is the water?\nA: 80 degrees.',
    doc_form: 'qa_model',
    doc_language: 'English',
    process_rule: { mode: 'automatic' },
  })
  const segment_id = await firstSegment(suite, { dataset_id, document_id })
  const read = await suite.expectReply('7 read segment in Q&A form', entries.read, {
    params: { dataset_id, document_id, segment_id },
  })
  suite.expectFields('7 read segment in Q&A form: its fields', { ...Segment, answer: 'string' }, readPath(read, 'data'))
  suite.expectEqual('7 read segment in Q&A form: its answer', readPath(read, 'data', 'answer'), '80 degrees.')
}

async function checkChildChunks(suite: ConformanceSuite, params: Record<string, string>): Promise<string> {
  const list = (name: string, query = '') => suite.expectReply(name, entries.listChildChunks, { params, query })
  const all = await list('8 list child chunks')
  for (const [index, record] of readList(all, 'data').entries())
    suite.expectFields(`8 list child chunks: fields of record ${index + 1}`, ChildChunk, record)
  suite.expectEqual(
    '8 list child chunks: page, limit, total and pages',
    ['page', 'limit', 'total', 'total_pages'].map((name) => readPath(all, name)),
    [1, 20, 2, 1],
  )
  const one = await list('8 list child chunks, one a page', 'limit=1&page=2')
  suite.expectEqual(
    '8 list child chunks: one a page',
    [readList(one, 'data').length, readPath(one, 'total_pages')],
    [1, 2],
  )
  const some = await list('8 list child chunks, by keyword', 'keyword=degrees')
  suite.expectEqual('8 list child chunks: by keyword', readPath(some, 'total'), 1)
  for (const query of ['limit=0', 'limit=x', 'page=0'])
    await suite.expectRefusal(
      `8 list child chunks: ${query}`,
      toRequest(entries.listChildChunks, { params, query }),
      400,
    )
  const many = await suite.send(toRequest(entries.listChildChunks, { params, query: 'limit=101' }))
  const isBounded = many.status === 400 || readPath(many.body, 'limit') === 100
  suite.expectTrue('8 list child chunks: limit=101 is refused or lowered', isBounded, many.body)

  const made = await suite.expectReply('9 create child chunk', entries.createChildChunk, {
    params,
    body: { content: 'A third line.' },
  })
  suite.expectFields('9 create child chunk: its fields', ChildChunk, readPath(made, 'data'))
  suite.expectEqual('9 create child chunk: its text', readPath(made, 'data', 'content'), 'A third line.')
  suite.expectEqual('9 create child chunk: its parent', readPath(made, 'data', 'segment_id'), params['segment_id'])
  const child_chunk_id = String(readPath(made, 'data', 'id'))
  const changed = await suite.expectReply('10 update child chunk', entries.updateChildChunk, {
    params: { ...params, child_chunk_id },
    body: { content: '第三行，改过了。' },
  })
  suite.expectFields('10 update child chunk: its fields', ChildChunk, readPath(changed, 'data'))
  suite.expectEqual('10 update child chunk: its text', readPath(changed, 'data', 'content'), '第三行，改过了。')
  suite.expectTrue(
    '10 update child chunk: its hash is another',
    readPath(changed, 'data', 'index_node_hash') !== readPath(made, 'data', 'index_node_hash'),
  )
  suite.expectEqual(
    '10 update child chunk: it is in the list',
    readPath(await list('8 list child chunks again'), 'total'),
    3,
  )
  return child_chunk_id
}

async function addDocument(suite: ConformanceSuite, dataset_id: string, body: object): Promise<string> {
  const request = { params: { dataset_id }, body: { indexing_technique: 'economy', ...body } }
  const receipt = await suite.expectReply('3 create document, for segments', contract.documents.createByText, request)
  const document_id = String(readPath(receipt, 'document', 'id'))
  const done = await waitForIndexing(suite, dataset_id, document_id)
  suite.expectEqual('3 create document, for segments: it is indexed', readPath(done, 'indexing_status'), 'completed')
  return document_id
}

/** The interface document has no list of segments; every platform known has this one. */
async function firstSegment(
  suite: ConformanceSuite,
  params: { dataset_id: string; document_id: string },
): Promise<string> {
  const { body } = await suite.send(toRequest(optionalEndpoints.listSegments, { params }))
  return String(readPath(body, 'data', 0, 'id'))
}
