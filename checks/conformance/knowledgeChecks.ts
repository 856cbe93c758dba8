import { contract } from '#contract/index.ts'
import { Dataset, Document, RerankingMode, RetrievalModel, UpdatedDataset } from './fieldTables.ts'
import { checkSegments } from './segmentChecks.ts'
import { readPath, readList, toRequest, type ConformanceSuite } from './conformanceSuite.ts'
import { type ResourceIds, SAMPLE_PARAGRAPHS, waitForIndexing } from './conformanceResources.ts'

const entries = contract.documents

/** A dataset and its documents: operations 1 to 6, then those of segments. */
export async function checkKnowledge(suite: ConformanceSuite): Promise<Omit<ResourceIds, 'conversation_id'>> {
  const dataset_id = await checkDataset(suite)
  const document_id = await checkDocuments(suite, dataset_id)
  await checkUpdateByFile(suite, dataset_id, document_id)
  await checkDocumentList(suite, dataset_id)
  return { dataset_id, ...(await checkSegments(suite, dataset_id)) }
}

async function checkDataset(suite: ConformanceSuite): Promise<string> {
  const { create, update } = contract.datasets
  const name = `Conformance ${crypto.randomUUID().slice(0, 8)}`
  const made = await suite.expectReply('1 create dataset', create, { body: { name } })
  suite.expectFields('1 create dataset: its fields', Dataset, made)
  suite.expectEqual('1 create dataset: its name', readPath(made, 'name'), name)
  await suite.expectRefusal('1 create dataset: a name that is taken', toRequest(create, { body: { name } }), 409)
  const dataset_id = String(readPath(made, 'id'))

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
  const changed = await suite.expectReply('2 update dataset', update, { params: { dataset_id }, body: allFields })
  suite.expectFields('2 update dataset: its fields', UpdatedDataset, changed)
  suite.expectFields('2 update dataset: its retrieval model', RetrievalModel, readPath(changed, 'retrieval_model_dict'))
  suite.expectFields(
    '2 update dataset: its reranker',
    RerankingMode,
    readPath(changed, 'retrieval_model_dict', 'reranking_mode'),
  )
  for (const field of ['name', 'description', 'indexing_technique', 'permission'] as const)
    suite.expectEqual(`2 update dataset: ${field} is changed`, readPath(changed, field), allFields[field])
  for (const field of ['top_k', 'score_threshold_enabled', 'score_threshold', 'weights'] as const)
    suite.expectEqual(
      `2 update dataset: ${field} is kept`,
      readPath(changed, 'retrieval_model_dict', field),
      allFields.retrieval_model[field],
    )

  const upstream = {
    search_method: 'hybrid_search',
    reranking_enable: false,
    reranking_mode: 'weighted_score',
    reranking_model: null,
    top_k: 4,
    score_threshold_enabled: false,
    weights: { vector_setting: { vector_weight: 0.3 }, keyword_setting: { keyword_weight: 0.7 } },
  }
  await suite.expectReply('2 update dataset, with upstream’s retrieval model', update, {
    params: { dataset_id },
    body: { retrieval_model: upstream },
  })
  for (const partial_member_list of [['a'], [{ user_id: 'a' }]])
    await suite.expectReply(`2 update dataset, members as ${JSON.stringify(partial_member_list)}`, update, {
      params: { dataset_id },
      body: { permission: 'partial_members', partial_member_list },
    })
  const back = await suite.expectReply('2 update dataset, unknown fields', update, {
    params: { dataset_id },
    body: { permission: 'only_me', something_else: { a: 1 } },
  })
  suite.expectEqual('2 update dataset: what is not sent stays', readPath(back, 'name'), allFields.name)
  return dataset_id
}

async function checkDocuments(suite: ConformanceSuite, dataset_id: string): Promise<string> {
  const receipt = await suite.expectReply('3 create document', entries.createByText, {
    params: { dataset_id },
    body: {
      name: 'Teas',
      text: SAMPLE_PARAGRAPHS.join('\n\n'),
      indexing_technique: 'economy',
      doc_form: 'text_model',
      doc_language: 'English',
      process_rule: {
        mode: 'custom',
        rules: {
          pre_processing_rules: [{ id: 'remove_extra_spaces', enabled: true }],
          segmentation: { separator: '\n\n', max_tokens: 100 },
        },
      },
    },
  })
  suite.expectFields('3 create document: its fields', Document, readPath(receipt, 'document'))
  suite.expectTrue(
    '3 create document: its batch',
    typeof readPath(receipt, 'batch') === 'string',
    readPath(receipt, 'batch'),
  )
  const document_id = String(readPath(receipt, 'document', 'id'))
  const done = await waitForIndexing(suite, dataset_id, document_id)
  suite.expectEqual('3 create document: it is indexed', readPath(done, 'indexing_status'), 'completed')
  suite.expectEqual('3 create document: it is available', readPath(done, 'display_status'), 'available')
  suite.expectTrue(
    '3 create document: its tokens are counted',
    Number(readPath(done, 'tokens')) > 0,
    readPath(done, 'tokens'),
  )
  suite.expectTrue(
    '3 create document: its words are counted',
    Number(readPath(done, 'word_count')) > 0,
    readPath(done, 'word_count'),
  )
  await suite.expectReply('3 create document, with no settings', entries.createByText, {
    params: { dataset_id },
    body: { name: 'Plain', text: 'One line.' },
  })

  const params = { dataset_id, document_id }
  const update = await suite.expectReply('4 update document by text', entries.updateByText, {
    params,
    body: { name: 'Teas, changed', text: 'White tea.', process_rule: { mode: 'automatic' } },
  })
  suite.expectFields('4 update document by text: its fields', Document, readPath(update, 'document'))
  suite.expectEqual('4 update document by text: its name', readPath(update, 'document', 'name'), 'Teas, changed')
  // Whether an update has a batch of its own is open: released platforms keep that of the document.
  suite.expectTrue('4 update document by text: a batch', /\S/.test(String(readPath(update, 'batch') ?? '')))
  await waitForIndexing(suite, dataset_id, document_id)
  const renamed = await suite.expectReply('4 update document by text, its name alone', entries.updateByText, {
    params,
    body: { name: 'Teas' },
  })
  suite.expectEqual('4 update document by text: a name alone', readPath(renamed, 'document', 'name'), 'Teas')
  return document_id
}

async function checkUpdateByFile(suite: ConformanceSuite, dataset_id: string, document_id: string): Promise<void> {
  const toFormData = (...parts: [string, string | File][]) => {
    const body = new FormData()
    for (const [name, value] of parts) body.append(name, value)
    return { params: { dataset_id, document_id }, body }
  }
  const file = (name: string, text: string): [string, File] => ['file', new File([text], name)]
  const wrong = (...parts: [string, string | File][]) => toRequest(entries.updateByFile, toFormData(...parts))
  const entry = entries.updateByFile
  const data = JSON.stringify({ name: 'From a file', process_rule: { mode: 'automatic' } })
  const receipt = await suite.expectReply(
    '5 update document by file',
    entry,
    toFormData(['data', data], file('teas.md', '# Teas')),
  )
  suite.expectFields('5 update document by file: its fields', Document, readPath(receipt, 'document'))
  suite.expectEqual('5 update document by file: its name', readPath(receipt, 'document', 'name'), 'From a file')
  suite.expectTrue(
    '5 update document by file: its batch',
    typeof readPath(receipt, 'batch') === 'string',
    readPath(receipt, 'batch'),
  )
  const done = await waitForIndexing(suite, dataset_id, document_id)
  suite.expectEqual('5 update document by file: it is indexed', readPath(done, 'indexing_status'), 'completed')
  await suite.expectRefusal(
    '5 update document by file: data that is no JSON',
    wrong(['data', '{'], file('a.md', 'a')),
    400,
  )
  await suite.expectRefusal(
    '5 update document by file: a wrong name',
    wrong(['data', '{"name":1}'], file('a.md', 'a')),
    400,
  )
  await suite.expectRefusal(
    '5 update document by file: two files',
    wrong(file('a.md', 'a'), file('b.md', 'b')),
    400,
    'too_many_files',
  )
  await suite.expectRefusal('5 update document by file: an empty file', wrong(file('a.md', '')), 400)
  await suite.expectRefusal(
    '5 update document by file: a file of no known kind',
    wrong(file('a.exe', 'MZ')),
    [400, 415],
  )
  await suite.expectRefusal('5 update document by file: a file that lies', wrong(file('a.pdf', 'no PDF')), [400, 415])
  const unchangedDocument = await waitForIndexing(suite, dataset_id, document_id)
  suite.expectEqual(
    '5 update document by file: a refused file changes nothing',
    readPath(unchangedDocument, 'name'),
    'From a file',
  )
}

async function checkDocumentList(suite: ConformanceSuite, dataset_id: string): Promise<void> {
  const entry = entries.list
  const read = (name: string, query = '') => suite.expectReply(name, entry, { params: { dataset_id }, query })
  const all = await read('6 list documents')
  for (const [index, record] of readList(all, 'data').entries())
    suite.expectFields(`6 list documents: fields of record ${index + 1}`, Document, record)
  suite.expectEqual('6 list documents: its page and limit', [readPath(all, 'page'), readPath(all, 'limit')], [1, 20])
  suite.expectEqual('6 list documents: its total', readPath(all, 'total'), readList(all, 'data').length)
  suite.expectEqual('6 list documents: there are no more', readPath(all, 'has_more'), false)
  const first = await read('6 list documents, one a page', 'limit=1&page=1')
  suite.expectEqual(
    '6 list documents: one a page',
    [readList(first, 'data').length, readPath(first, 'has_more')],
    [1, true],
  )
  const beyond = await read('6 list documents, beyond the end', 'limit=100&page=9')
  suite.expectEqual(
    '6 list documents: beyond the end',
    [readList(beyond, 'data').length, readPath(beyond, 'has_more')],
    [0, false],
  )
  const named = await read('6 list documents, by keyword', 'keyword=Plain')
  suite.expectEqual(
    '6 list documents: by keyword',
    readList(named, 'data').map((one) => readPath(one, 'name')),
    ['Plain'],
  )
  for (const query of ['limit=0', 'limit=101', 'limit=ten', 'page=0', 'page=-1', 'page=x'])
    await suite.expectRefusal(`6 list documents: ${query}`, toRequest(entry, { params: { dataset_id }, query }), 400)
}
