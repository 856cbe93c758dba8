import { contract } from '#contract/index.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { pollUntil } from '../kill/consoleClient.ts'
import {
  type ConformanceSuite,
  readList,
  readPath,
  readText,
  type ResourceIds,
  SAMPLE_PARAGRAPHS,
  toRequest,
} from './conformanceSuite.ts'
import { ChildChunk, Dataset, Document, RerankingMode, RetrievalModel, Segment, UpdatedDataset } from './fieldTables.ts'

const { datasets, documents, segments } = contract
const toCustomRule = (max_tokens: number, pre_processing_rules: object[] = []) => ({
  pre_processing_rules,
  segmentation: { separator: '\n\n', max_tokens },
})

/** A dataset, its documents and their segments: operations 1 to 10. */
export async function checkKnowledge(suite: ConformanceSuite): Promise<Omit<ResourceIds, 'conversation_id'>> {
  const dataset_id = await checkDataset(suite)
  const document_id = await checkDocuments(suite, dataset_id)
  await checkUpdateByFile(suite, dataset_id, document_id)
  await checkDocumentList(suite, dataset_id)
  return { dataset_id, ...(await checkSegments(suite, dataset_id)) }
}

async function checkDataset(suite: ConformanceSuite): Promise<string> {
  const create = suite.step('1 create dataset')
  const name = `Conformance ${crypto.randomUUID().slice(0, 8)}`
  const made = await create.reply(datasets.create, { body: { name } })
  create.fields('its fields', Dataset, made)
  create.equal('its name', readPath(made, 'name'), name)
  await create.refuses('a name that is taken', toRequest(datasets.create, { body: { name } }), 409)
  const dataset_id = readText(made, 'id')

  const allFields = {
    name: `${name}, changed`,
    description: 'A knowledge base of the conformance suite.',
    indexing_technique: 'economy',
    permission: 'all_team_members',
    retrieval_model: {
      search_method: 'hybrid_search',
      reranking_enable: false,
      reranking_mode: { reranking_provider_name: '', reranking_model_name: '' },
      top_k: 5,
      score_threshold_enabled: true,
      score_threshold: 0.1,
      weights: 0.6,
    },
  }
  const update = suite.step('2 update dataset')
  const send = (what: string, body: object) =>
    suite.expectReply(`2 update dataset${what}`, datasets.update, { params: { dataset_id }, body })
  const changed = await send('', allFields)
  const model = readPath(changed, 'retrieval_model_dict')
  update.fields('its fields', UpdatedDataset, changed)
  update.fields('its retrieval model', RetrievalModel, model)
  update.fields('its reranker', RerankingMode, readPath(model, 'reranking_mode'))
  for (const field of ['name', 'description', 'indexing_technique', 'permission'] as const)
    update.equal(`${field} is changed`, readPath(changed, field), allFields[field])
  for (const field of ['top_k', 'score_threshold_enabled', 'score_threshold', 'weights'] as const)
    update.equal(`${field} is kept`, readPath(model, field), allFields.retrieval_model[field])
  const upstream = {
    search_method: 'hybrid_search',
    reranking_enable: false,
    reranking_mode: 'weighted_score',
    reranking_model: null,
    top_k: 4,
    score_threshold_enabled: false,
    weights: { vector_setting: { vector_weight: 0.3 }, keyword_setting: { keyword_weight: 0.7 } },
  }
  await send(', with upstream’s retrieval model', { retrieval_model: upstream })
  for (const partial_member_list of [['a'], [{ user_id: 'a' }]])
    await send(`, members as ${JSON.stringify(partial_member_list)}`, {
      permission: 'partial_members',
      partial_member_list,
    })
  const back = await send(', unknown fields', { permission: 'only_me', something_else: { a: 1 } })
  update.equal('what is not sent stays', readPath(back, 'name'), allFields.name)
  return dataset_id
}

/** Polls the list until a document is indexed, or has failed. */
const waitForIndexing = (suite: ConformanceSuite, dataset_id: string, document_id: string): Promise<unknown> =>
  pollUntil(
    async () => {
      const { body } = await suite.send(toRequest(documents.list, { params: { dataset_id }, query: 'limit=100' }))
      return readList(body, 'data').find((one) => readPath(one, 'id') === document_id)
    },
    (record) => ['completed', 'error'].includes(readText(record, 'indexing_status')),
    { timeoutMs: 60_000 },
  )

async function checkDocuments(suite: ConformanceSuite, dataset_id: string): Promise<string> {
  const create = suite.step('3 create document')
  const receipt = await create.reply(documents.createByText, {
    params: { dataset_id },
    body: {
      name: 'Teas',
      text: SAMPLE_PARAGRAPHS.join('\n\n'),
      indexing_technique: 'economy',
      doc_form: 'text_model',
      doc_language: 'English',
      process_rule: { mode: 'custom', rules: toCustomRule(100, [{ id: 'remove_extra_spaces', enabled: true }]) },
    },
  })
  create.fields('its fields', Document, readPath(receipt, 'document'))
  create.holds('its batch', typeof readPath(receipt, 'batch') === 'string', readPath(receipt, 'batch'))
  const document_id = readText(receipt, 'document', 'id')
  const done = await waitForIndexing(suite, dataset_id, document_id)
  create.equal('it is indexed', readPath(done, 'indexing_status'), 'completed')
  create.equal('it is available', readPath(done, 'display_status'), 'available')
  create.holds('its tokens are counted', Number(readPath(done, 'tokens')) > 0, readPath(done, 'tokens'))
  create.holds('its words are counted', Number(readPath(done, 'word_count')) > 0, readPath(done, 'word_count'))
  await suite.expectReply('3 create document, with no settings', documents.createByText, {
    params: { dataset_id },
    body: { name: 'Plain', text: 'One line.' },
  })

  const params = { dataset_id, document_id }
  const update = suite.step('4 update document by text')
  const changed = await update.reply(documents.updateByText, {
    params,
    body: { name: 'Teas, changed', text: 'White tea.', process_rule: { mode: 'automatic' } },
  })
  update.fields('its fields', Document, readPath(changed, 'document'))
  update.equal('its name', readPath(changed, 'document', 'name'), 'Teas, changed')
  // Whether an update has a batch of its own is open: released platforms keep that of the document.
  update.holds('a batch', /\S/.test(String(readPath(changed, 'batch') ?? '')))
  await waitForIndexing(suite, dataset_id, document_id)
  const renamed = await suite.expectReply('4 update document by text, its name alone', documents.updateByText, {
    params,
    body: { name: 'Teas' },
  })
  update.equal('a name alone', readPath(renamed, 'document', 'name'), 'Teas')
  return document_id
}

async function checkUpdateByFile(suite: ConformanceSuite, dataset_id: string, document_id: string): Promise<void> {
  const step = suite.step('5 update document by file')
  const toParts = (...parts: [string, string | File][]) => {
    const body = new FormData()
    for (const [name, value] of parts) body.append(name, value)
    return { params: { dataset_id, document_id }, body }
  }
  const file = (name: string, text = 'a'): [string, File] => ['file', new File([text], name)]
  const data = JSON.stringify({ name: 'From a file', process_rule: { mode: 'automatic' } })
  const receipt = await step.reply(documents.updateByFile, toParts(['data', data], file('teas.md', '# Teas')))
  step.fields('its fields', Document, readPath(receipt, 'document'))
  step.equal('its name', readPath(receipt, 'document', 'name'), 'From a file')
  step.holds('its batch', typeof readPath(receipt, 'batch') === 'string', readPath(receipt, 'batch'))
  const done = await waitForIndexing(suite, dataset_id, document_id)
  step.equal('it is indexed', readPath(done, 'indexing_status'), 'completed')
  const refuses = (what: string, parts: [string, string | File][], status: number | number[], code?: string) =>
    step.refuses(what, toRequest(documents.updateByFile, toParts(...parts)), status, code)
  await refuses('data that is no JSON', [['data', '{'], file('a.md')], 400)
  await refuses('a wrong name', [['data', '{"name":1}'], file('a.md')], 400)
  await refuses('two files', [file('a.md'), file('b.md', 'b')], 400, 'too_many_files')
  await refuses('an empty file', [file('a.md', '')], 400)
  await refuses('a file of no known kind', [file('a.exe', 'MZ')], [400, 415])
  await refuses('a file that lies', [file('a.pdf', 'no PDF')], [400, 415])
  const unchanged = await waitForIndexing(suite, dataset_id, document_id)
  step.equal('a refused file changes nothing', readPath(unchanged, 'name'), 'From a file')
}

async function checkDocumentList(suite: ConformanceSuite, dataset_id: string): Promise<void> {
  const step = suite.step('6 list documents')
  const read = (what: string, query = '') =>
    suite.expectReply(`6 list documents${what}`, documents.list, { params: { dataset_id }, query })
  const all = await read('')
  for (const [index, record] of readList(all, 'data').entries())
    step.fields(`fields of record ${index + 1}`, Document, record)
  step.equal('its page and limit', [readPath(all, 'page'), readPath(all, 'limit')], [1, 20])
  step.equal('its total', readPath(all, 'total'), readList(all, 'data').length)
  step.equal('there are no more', readPath(all, 'has_more'), false)
  const toSize = (list: unknown) => [readList(list, 'data').length, readPath(list, 'has_more')]
  step.equal('one a page', toSize(await read(', one a page', 'limit=1&page=1')), [1, true])
  step.equal('beyond the end', toSize(await read(', beyond the end', 'limit=100&page=9')), [0, false])
  const named = readList(await read(', by keyword', 'keyword=Plain'), 'data')
  step.equal(
    'by keyword',
    named.map((one) => readPath(one, 'name')),
    ['Plain'],
  )
  for (const query of ['limit=0', 'limit=101', 'limit=ten', 'page=0', 'page=-1', 'page=x'])
    await step.refuses(query, toRequest(documents.list, { params: { dataset_id }, query }), 400)
}

type SegmentIds = Pick<ResourceIds, 'document_id' | 'segment_id' | 'child_chunk_id'>

/** Operations 7 to 10: of a parent segment and its children, and of a question with its answer. */
async function checkSegments(suite: ConformanceSuite, dataset_id: string): Promise<SegmentIds> {
  const parents = await addDocument(suite, dataset_id, {
    name: 'Parents',
    text: SAMPLE_PARAGRAPHS.join('\n\n'),
    doc_form: 'hierarchical_model',
    process_rule: {
      mode: 'hierarchical',
      rules: {
        ...toCustomRule(100),
        parent_mode: 'paragraph',
        subchunk_segmentation: { separator: '\n', max_tokens: 50, chunk_overlap: 0 },
      },
    },
  })
  const step = suite.step('7 read segment')
  const read = await step.reply(segments.read, { params: parents })
  step.fields('its fields', Segment, readPath(read, 'data'))
  step.equal('its form', readPath(read, 'doc_form'), 'hierarchical_model')
  step.equal('its text', readPath(read, 'data', 'content'), SAMPLE_PARAGRAPHS[0])

  const questions = await addDocument(suite, dataset_id, {
    name: 'Questions',
    text: 'Q: How hot is the water?\nA: 80 degrees.',
    doc_form: 'qa_model',
    doc_language: 'English',
    process_rule: { mode: 'automatic' },
  })
  const answered = suite.step('7 read segment in Q&A form')
  const data = readPath(await answered.reply(segments.read, { params: questions }), 'data')
  answered.fields('its fields', { ...Segment, answer: 'string' }, data)
  answered.equal('its answer', readPath(data, 'answer'), '80 degrees.')
  return { ...parents, child_chunk_id: await checkChildChunks(suite, parents) }
}

async function checkChildChunks(suite: ConformanceSuite, params: Record<string, string>): Promise<string> {
  const { listChildChunks, createChildChunk, updateChildChunk } = segments
  const step = suite.step('8 list child chunks')
  const list = (what: string, query = '') =>
    suite.expectReply(`8 list child chunks${what}`, listChildChunks, { params, query })
  const all = await list('')
  for (const [index, record] of readList(all, 'data').entries())
    step.fields(`fields of record ${index + 1}`, ChildChunk, record)
  const sizes = ['page', 'limit', 'total', 'total_pages'].map((name) => readPath(all, name))
  step.equal('page, limit, total and pages', sizes, [1, 20, 2, 1])
  const one = await list(', one a page', 'limit=1&page=2')
  step.equal('one a page', [readList(one, 'data').length, readPath(one, 'total_pages')], [1, 2])
  step.equal('by keyword', readPath(await list(', by keyword', 'keyword=degrees'), 'total'), 1)
  for (const query of ['limit=0', 'limit=x', 'page=0'])
    await step.refuses(query, toRequest(listChildChunks, { params, query }), 400)
  const many = await suite.send(toRequest(listChildChunks, { params, query: 'limit=101' }))
  const isBounded = many.status === 400 || readPath(many.body, 'limit') === 100
  step.holds('limit=101 is refused or lowered', isBounded, many.body)

  const create = suite.step('9 create child chunk')
  const made = readPath(await create.reply(createChildChunk, { params, body: { content: 'A third line.' } }), 'data')
  create.fields('its fields', ChildChunk, made)
  create.equal('its text', readPath(made, 'content'), 'A third line.')
  create.equal('its parent', readPath(made, 'segment_id'), params['segment_id'])
  const child_chunk_id = readText(made, 'id')
  const update = suite.step('10 update child chunk')
  const given = { params: { ...params, child_chunk_id }, body: { content: '第三行，改过了。' } }
  const changed = readPath(await update.reply(updateChildChunk, given), 'data')
  update.fields('its fields', ChildChunk, changed)
  update.equal('its text', readPath(changed, 'content'), '第三行，改过了。')
  const hashes = [changed, made].map((chunk) => readPath(chunk, 'index_node_hash'))
  update.holds('its hash is another', hashes[0] !== hashes[1])
  update.equal('it is in the list', readPath(await list(' again'), 'total'), 3)
  return child_chunk_id
}

/** Adds a document of an own form. @returns its ids, and that of its first segment */
async function addDocument(suite: ConformanceSuite, dataset_id: string, body: object) {
  const step = suite.step('3 create document, for segments')
  const request = { params: { dataset_id }, body: { indexing_technique: 'economy', ...body } }
  const document_id = readText(await step.reply(documents.createByText, request), 'document', 'id')
  const done = await waitForIndexing(suite, dataset_id, document_id)
  step.equal('it is indexed', readPath(done, 'indexing_status'), 'completed')
  // The interface document has no list of segments; every platform known has this one.
  const list = await suite.send(toRequest(optionalEndpoints.listSegments, { params: { dataset_id, document_id } }))
  return { dataset_id, document_id, segment_id: readText(list.body, 'data', 0, 'id') }
}
