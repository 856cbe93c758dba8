import { type Endpoint, isForm } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import {
  type ConformanceSuite,
  type RequestParts,
  type ResourceIds,
  toRequest,
  UNKNOWN_ID,
  USER,
} from './conformanceSuite.ts'

/** An operation with a valid request, which the checks then make invalid. */
interface OperationCase extends RequestParts {
  name: string
  entry: Endpoint
  /** Required fields, and invalid values of fields. */
  required?: string[]
  wrong?: Record<string, unknown[]>
  /** Path parameters, each tried with an unknown id. */
  ids?: string[]
}

/** Invalid requests of every operation: wrong key, invalid body, missing and wrong fields, unknown ids. */
export async function checkRefusals(suite: ConformanceSuite, ids: ResourceIds): Promise<void> {
  for (const operation of listOperationCases(ids)) {
    await checkWrongKeysAndBodies(suite, operation)
    await checkWrongFields(suite, operation)
  }
}

async function checkWrongKeysAndBodies(suite: ConformanceSuite, { name, entry, ...valid }: OperationCase) {
  const step = suite.step(name)
  const request = toRequest(entry, valid)
  const other = entry.key === 'knowledge' ? 'chat' : 'knowledge'
  await step.refuses('no key', { ...request, key: null }, 401, 'unauthorized')
  await step.refuses('no bearer', { ...request, key: { header: 'Basic eDp5' } }, 401, 'unauthorized')
  await step.refuses('unknown key', { ...request, key: { header: 'Bearer unknown' } }, 401, 'unauthorized')
  await step.refuses('a key of the other kind', { ...request, key: other }, 401, 'unauthorized')
  if (!entry.body) return
  if (isForm(entry.body)) {
    await step.refuses('JSON in place of a form', { ...request, body: { name: 'a' } }, 415)
    return
  }
  await step.refuses('broken JSON', { ...request, body: '{"a":', type: 'application/json' }, 400)
  await step.refuses('a list for a body', { ...request, body: '[1]', type: 'application/json' }, 400)
  await step.refuses('a text for a body', { ...request, body: 'a=b', type: 'text/plain' }, 415)
}

async function checkWrongFields(suite: ConformanceSuite, operation: OperationCase): Promise<void> {
  const { name, entry, required = [], wrong = {}, ids = [], ...valid } = operation
  const step = suite.step(name)
  const body = (valid.body ?? {}) as Record<string, unknown>
  const refusesField = async (what: string, field: string, spoiled: object) => {
    const reply = await step.refuses(what, { ...toRequest(entry, valid), body: spoiled }, 400, 'invalid_param')
    step.holds(`${what} is named`, reply.text.includes(field), reply.body)
  }
  for (const field of required) {
    const { [field]: _, ...rest } = body
    await refusesField(`without ${field}`, field, rest)
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      await refusesField(`${field} as ${JSON.stringify(value).slice(0, 40)}`, field, { ...body, [field]: value })
  for (const id of ids) {
    const withId = (value: string) => toRequest(entry, { ...valid, params: { ...valid.params, [id]: value } })
    await step.refuses(`unknown ${id}`, withId(UNKNOWN_ID), 404, 'not_found')
    await step.refuses(`${id} that is no UUID`, withId('nothing'), 404)
  }
}

function listOperationCases({ conversation_id, child_chunk_id, segment_id, ...rest }: ResourceIds): OperationCase[] {
  const { datasets, documents, segments, workflows, chat, completion, annotations } = contract
  const { dataset_id, document_id } = rest
  const dataset = { params: { dataset_id }, ids: ['dataset_id'] }
  const document = { params: { dataset_id, document_id }, ids: ['dataset_id', 'document_id'] }
  const segment = { params: { ...document.params, segment_id }, ids: [...document.ids, 'segment_id'] }
  const child = { params: { ...segment.params, child_chunk_id }, ids: [...segment.ids, 'child_chunk_id'] }
  const settings = {
    name: ['', 1, 'n'.repeat(41)],
    description: [1, 'd'.repeat(401)],
    indexing_technique: ['high', 1],
    permission: ['everyone'],
    retrieval_model: ['hybrid_search', { top_k: 'four' }, { search_method: 'guess' }],
  }
  const rules = { process_rule: ['automatic', { mode: 'custom', rules: { segmentation: { max_tokens: 'x' } } }] }
  const texts = { name: ['', 1], text: ['', 1], ...rules }
  const content = { content: ['', 1, null] }
  const user = { user: [1, ''] }
  const run = { response_mode: ['later'], files: ['a'], ...user }
  const sent = { response_mode: 'blocking', user: USER }
  const scores = { score_threshold: ['high', -1, 2], embedding_model_name: [1], embedding_provider_name: [1] }
  return [
    {
      name: '1 create dataset',
      entry: datasets.create,
      body: { name: 'Never made' },
      required: ['name'],
      wrong: { ...settings, provider: ['else'] },
    },
    {
      name: '2 update dataset',
      entry: datasets.update,
      ...dataset,
      body: {},
      wrong: { ...settings, partial_member_list: ['a', [1]] },
    },
    {
      name: '3 create document',
      entry: documents.createByText,
      ...dataset,
      body: { name: 'Never made', text: 'text' },
      required: ['name', 'text'],
      wrong: { ...texts, text: ['', '  ', 1], doc_form: ['poem'], indexing_technique: ['high'] },
    },
    {
      name: '4 update document by text',
      entry: documents.updateByText,
      ...document,
      body: { name: 'Never changed', text: 'text' },
      wrong: texts,
    },
    { name: '5 update document by file', entry: documents.updateByFile, ...document, ids: [], body: new FormData() },
    { name: '6 list documents', entry: documents.list, ...dataset },
    { name: '7 read segment', entry: segments.read, ...segment },
    { name: '8 list child chunks', entry: segments.listChildChunks, ...segment },
    {
      name: '9 create child chunk',
      entry: segments.createChildChunk,
      ...segment,
      body: { content: 'Never made' },
      required: ['content'],
      wrong: content,
    },
    {
      name: '10 update child chunk',
      entry: segments.updateChildChunk,
      ...child,
      body: { content: 'Never changed' },
      required: ['content'],
      wrong: content,
    },
    {
      name: '11 run workflow',
      entry: workflows.run,
      body: { inputs: {}, ...sent },
      required: ['inputs', 'user'],
      wrong: { inputs: ['a', [1]], ...run },
    },
    {
      name: '12 read run',
      entry: workflows.readRun,
      params: { workflow_run_id: UNKNOWN_ID },
      key: 'workflow',
      ids: ['workflow_run_id'],
    },
    { name: '13 read parameters', entry: workflows.parameters },
    {
      name: '14 send chat message',
      entry: chat.send,
      body: { query: 'Never asked', inputs: {}, ...sent },
      required: ['query', 'user'],
      wrong: { query: ['', 1], inputs: ['a'], conversation_id: ['nothing', 1], ...run },
    },
    {
      name: '15 rename conversation',
      entry: chat.rename,
      params: { conversation_id },
      ids: ['conversation_id'],
      body: { user: USER, name: 'Never' },
      required: ['user', 'name'],
      wrong: { ...user, name: ['', 1], auto_generate: ['yes'] },
    },
    {
      name: '16 send completion message',
      entry: completion.send,
      body: { inputs: { query: 'a' }, ...sent },
      required: ['inputs', 'user'],
      wrong: { inputs: [{}, 'a'], ...run },
    },
    {
      name: '17 annotation reply',
      entry: annotations.reply,
      params: { action: 'disable' },
      body: { score_threshold: 0.9 },
      required: ['score_threshold'],
      wrong: scores,
    },
    {
      name: '18 create annotation',
      entry: annotations.create,
      body: { question: 'Never', answer: 'Never' },
      required: ['question', 'answer'],
      wrong: { question: ['', 1], answer: ['', 1] },
    },
  ]
}
