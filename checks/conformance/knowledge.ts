import { contract } from '#contract/index.ts'
import { Dataset, Document, RerankingMode, RetrievalModel, UpdatedDataset } from './fields.ts'
import { segments } from './segments.ts'
import { at, listAt, requestOf, type Suite } from './suite.ts'
import { type Ids, PARAGRAPHS, settled } from './things.ts'

const entries = contract.documents

/** A dataset and its documents: operations 1 to 6, then those of segments. */
export async function knowledge(suite: Suite): Promise<Omit<Ids, 'conversation_id'>> {
  const dataset_id = await dataset(suite)
  const document_id = await documents(suite, dataset_id)
  await byFile(suite, dataset_id, document_id)
  await list(suite, dataset_id)
  return { dataset_id, ...(await segments(suite, dataset_id)) }
}

async function dataset(suite: Suite): Promise<string> {
  const { create, update } = contract.datasets
  const name = `Conformance ${crypto.randomUUID().slice(0, 8)}`
  const made = await suite.answers('1 create dataset', create, { body: { name } })
  suite.fits('1 create dataset: its fields', Dataset, made)
  suite.equal('1 create dataset: its name', at(made, 'name'), name)
  await suite.refuses('1 create dataset: a name that is taken', requestOf(create, { body: { name } }), 409)
  const dataset_id = String(at(made, 'id'))

  const whole = {
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
  const changed = await suite.answers('2 update dataset', update, { params: { dataset_id }, body: whole })
  suite.fits('2 update dataset: its fields', UpdatedDataset, changed)
  suite.fits('2 update dataset: its retrieval model', RetrievalModel, at(changed, 'retrieval_model_dict'))
  suite.fits('2 update dataset: its reranker', RerankingMode, at(changed, 'retrieval_model_dict', 'reranking_mode'))
  for (const field of ['name', 'description', 'indexing_technique', 'permission'] as const)
    suite.equal(`2 update dataset: ${field} is changed`, at(changed, field), whole[field])
  for (const field of ['top_k', 'score_threshold_enabled', 'score_threshold', 'weights'] as const)
    suite.equal(
      `2 update dataset: ${field} is kept`,
      at(changed, 'retrieval_model_dict', field),
      whole.retrieval_model[field],
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
  await suite.answers('2 update dataset, with upstream’s retrieval model', update, {
    params: { dataset_id },
    body: { retrieval_model: upstream },
  })
  for (const partial_member_list of [['a'], [{ user_id: 'a' }]])
    await suite.answers(`2 update dataset, members as ${JSON.stringify(partial_member_list)}`, update, {
      params: { dataset_id },
      body: { permission: 'partial_members', partial_member_list },
    })
  const back = await suite.answers('2 update dataset, unknown fields', update, {
    params: { dataset_id },
    body: { permission: 'only_me', something_else: { a: 1 } },
  })
  suite.equal('2 update dataset: what is not sent stays', at(back, 'name'), whole.name)
  return dataset_id
}

async function documents(suite: Suite, dataset_id: string): Promise<string> {
  const receipt = await suite.answers('3 create document', entries.createByText, {
    params: { dataset_id },
    body: {
      name: 'Teas',
      text: PARAGRAPHS.join('\n\n'),
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
  suite.fits('3 create document: its fields', Document, at(receipt, 'document'))
  suite.holds('3 create document: its batch', typeof at(receipt, 'batch') === 'string', at(receipt, 'batch'))
  const document_id = String(at(receipt, 'document', 'id'))
  const done = await settled(suite, dataset_id, document_id)
  suite.equal('3 create document: it is indexed', at(done, 'indexing_status'), 'completed')
  suite.equal('3 create document: it is available', at(done, 'display_status'), 'available')
  suite.holds('3 create document: its tokens are counted', Number(at(done, 'tokens')) > 0, at(done, 'tokens'))
  suite.holds('3 create document: its words are counted', Number(at(done, 'word_count')) > 0, at(done, 'word_count'))
  await suite.answers('3 create document, with no settings', entries.createByText, {
    params: { dataset_id },
    body: { name: 'Plain', text: 'One line.' },
  })

  const params = { dataset_id, document_id }
  const update = await suite.answers('4 update document by text', entries.updateByText, {
    params,
    body: { name: 'Teas, changed', text: 'White tea.', process_rule: { mode: 'automatic' } },
  })
  suite.fits('4 update document by text: its fields', Document, at(update, 'document'))
  suite.equal('4 update document by text: its name', at(update, 'document', 'name'), 'Teas, changed')
  suite.holds('4 update document by text: a new batch', at(update, 'batch') !== at(receipt, 'batch'))
  await settled(suite, dataset_id, document_id)
  const renamed = await suite.answers('4 update document by text, its name alone', entries.updateByText, {
    params,
    body: { name: 'Teas' },
  })
  suite.equal('4 update document by text: a name alone', at(renamed, 'document', 'name'), 'Teas')
  return document_id
}

async function byFile(suite: Suite, dataset_id: string, document_id: string): Promise<void> {
  const given = (...parts: [string, string | File][]) => {
    const body = new FormData()
    for (const [name, value] of parts) body.append(name, value)
    return { params: { dataset_id, document_id }, body }
  }
  const file = (name: string, text: string): [string, File] => ['file', new File([text], name)]
  const wrong = (...parts: [string, string | File][]) => requestOf(entries.updateByFile, given(...parts))
  const entry = entries.updateByFile
  const data = JSON.stringify({ name: 'From a file', process_rule: { mode: 'automatic' } })
  const receipt = await suite.answers(
    '5 update document by file',
    entry,
    given(['data', data], file('teas.md', '# Teas')),
  )
  suite.fits('5 update document by file: its fields', Document, at(receipt, 'document'))
  suite.equal('5 update document by file: its name', at(receipt, 'document', 'name'), 'From a file')
  suite.holds('5 update document by file: its batch', typeof at(receipt, 'batch') === 'string', at(receipt, 'batch'))
  const done = await settled(suite, dataset_id, document_id)
  suite.equal('5 update document by file: it is indexed', at(done, 'indexing_status'), 'completed')
  await suite.refuses('5 update document by file: data that is no JSON', wrong(['data', '{'], file('a.md', 'a')), 400)
  await suite.refuses('5 update document by file: a wrong name', wrong(['data', '{"name":1}'], file('a.md', 'a')), 400)
  await suite.refuses(
    '5 update document by file: two files',
    wrong(file('a.md', 'a'), file('b.md', 'b')),
    400,
    'too_many_files',
  )
  await suite.refuses('5 update document by file: an empty file', wrong(file('a.md', '')), 400)
  await suite.refuses('5 update document by file: a file of no known kind', wrong(file('a.exe', 'MZ')), [400, 415])
  await suite.refuses('5 update document by file: a file that lies', wrong(file('a.pdf', 'no PDF')), [400, 415])
  const kept = await settled(suite, dataset_id, document_id)
  suite.equal('5 update document by file: a refused file changes nothing', at(kept, 'name'), 'From a file')
}

async function list(suite: Suite, dataset_id: string): Promise<void> {
  const entry = entries.list
  const read = (name: string, query = '') => suite.answers(name, entry, { params: { dataset_id }, query })
  const all = await read('6 list documents')
  for (const [index, record] of listAt(all, 'data').entries())
    suite.fits(`6 list documents: fields of record ${index + 1}`, Document, record)
  suite.equal('6 list documents: its page and limit', [at(all, 'page'), at(all, 'limit')], [1, 20])
  suite.equal('6 list documents: its total', at(all, 'total'), listAt(all, 'data').length)
  suite.equal('6 list documents: there are no more', at(all, 'has_more'), false)
  const first = await read('6 list documents, one a page', 'limit=1&page=1')
  suite.equal('6 list documents: one a page', [listAt(first, 'data').length, at(first, 'has_more')], [1, true])
  const beyond = await read('6 list documents, beyond the end', 'limit=100&page=9')
  suite.equal('6 list documents: beyond the end', [listAt(beyond, 'data').length, at(beyond, 'has_more')], [0, false])
  const named = await read('6 list documents, by keyword', 'keyword=Plain')
  suite.equal(
    '6 list documents: by keyword',
    listAt(named, 'data').map((one) => at(one, 'name')),
    ['Plain'],
  )
  for (const query of ['limit=0', 'limit=101', 'limit=ten', 'page=0', 'page=-1', 'page=x'])
    await suite.refuses(`6 list documents: ${query}`, requestOf(entry, { params: { dataset_id }, query }), 400)
}
