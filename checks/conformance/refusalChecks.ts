import { contract } from '#contract/index.ts'
import { isForm, type Endpoint } from '#contract/endpoint.ts'
import type { ResourceIds } from './conformanceResources.ts'
import { toRequest, type RequestParts, type ConformanceSuite } from './conformanceSuite.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

/** An operation with a valid request, which the checks then make invalid. */
interface OperationCase {
  name: string
  entry: Endpoint
  validRequest: RequestParts
  /** Required fields, and invalid values of fields. */
  requiredFields?: string[]
  wrongValues?: Record<string, unknown[]>
  /** Path parameters, each tried with an unknown id. */
  idParams?: string[]
}

/** Invalid requests of every operation: wrong key, invalid body, missing and wrong fields, unknown ids. */
export async function checkRefusals(suite: ConformanceSuite, ids: ResourceIds): Promise<void> {
  for (const operation of listOperationCases(ids)) {
    await checkWrongKeys(suite, operation)
    await checkWrongBodies(suite, operation)
    await checkWrongFields(suite, operation)
    await checkWrongIds(suite, operation)
  }
}

async function checkWrongKeys(suite: ConformanceSuite, { name, entry, validRequest }: OperationCase): Promise<void> {
  const right = toRequest(entry, validRequest)
  const other = entry.key === 'knowledge' ? 'chat' : 'knowledge'
  await suite.expectRefusal(`${name}: no key`, { ...right, key: null }, 401, 'unauthorized')
  await suite.expectRefusal(`${name}: no bearer`, { ...right, key: { header: 'Basic eDp5' } }, 401, 'unauthorized')
  await suite.expectRefusal(
    `${name}: unknown key`,
    { ...right, key: { header: 'Bearer unknown' } },
    401,
    'unauthorized',
  )
  await suite.expectRefusal(`${name}: a key of the other kind`, { ...right, key: other }, 401, 'unauthorized')
}

async function checkWrongBodies(suite: ConformanceSuite, { name, entry, validRequest }: OperationCase): Promise<void> {
  const right = toRequest(entry, validRequest)
  if (!entry.body) return
  if (isForm(entry.body)) {
    await suite.expectRefusal(`${name}: JSON in place of a form`, { ...right, body: { name: 'a' } }, 415)
    return
  }
  await suite.expectRefusal(`${name}: broken JSON`, { ...right, body: '{"a":', type: 'application/json' }, 400)
  await suite.expectRefusal(`${name}: a list for a body`, { ...right, body: '[1]', type: 'application/json' }, 400)
  await suite.expectRefusal(`${name}: a text for a body`, { ...right, body: 'a=b', type: 'text/plain' }, 415)
}

async function checkWrongFields(
  suite: ConformanceSuite,
  { name, entry, validRequest, requiredFields = [], wrongValues = {} }: OperationCase,
): Promise<void> {
  const right = toRequest(entry, validRequest)
  const body = (validRequest.body ?? {}) as Record<string, unknown>
  const refused = async (what: string, field: string, spoiled: unknown) => {
    const reply = await suite.send({ ...right, body: spoiled })
    suite.expectRefused(`${name}: ${what}`, reply, 400, 'invalid_param')
    suite.expectTrue(`${name}: ${what} is named`, reply.text.includes(field), reply.body)
  }
  for (const field of requiredFields) {
    const { [field]: _, ...rest } = body
    await refused(`without ${field}`, field, rest)
  }
  for (const [field, values] of Object.entries(wrongValues))
    for (const value of values)
      await refused(`${field} as ${JSON.stringify(value).slice(0, 40)}`, field, { ...body, [field]: value })
}

async function checkWrongIds(
  suite: ConformanceSuite,
  { name, entry, validRequest, idParams = [] }: OperationCase,
): Promise<void> {
  for (const id of idParams) {
    const createRequest = (value: string) =>
      toRequest(entry, { ...validRequest, params: { ...validRequest.params, [id]: value } })
    await suite.expectRefusal(`${name}: unknown ${id}`, createRequest(UNKNOWN_ID), 404, 'not_found')
    await suite.expectRefusal(`${name}: ${id} that is no UUID`, createRequest('nothing'), 404)
  }
}

function listOperationCases({
  dataset_id,
  document_id,
  segment_id,
  child_chunk_id,
  conversation_id,
}: ResourceIds): OperationCase[] {
  const { datasets, documents, segments, workflows, chat, completion, annotations } = contract
  const dataset = { dataset_id }
  const document = { ...dataset, document_id }
  const segment = { ...document, segment_id }
  const child = { ...segment, child_chunk_id }
  const inDataset = ['dataset_id']
  const inDocument = [...inDataset, 'document_id']
  const inSegment = [...inDocument, 'segment_id']
  const settings = {
    indexing_technique: ['high', 1],
    permission: ['everyone'],
    retrieval_model: ['hybrid_search', { top_k: 'four' }, { search_method: 'guess' }],
  }
  const rules = { process_rule: ['automatic', { mode: 'custom', rules: { segmentation: { max_tokens: 'x' } } }] }
  const user = { user: [1, ''] }
  const run = { response_mode: ['later'], files: ['a'], ...user }
  return [
    {
      name: '1 create dataset',
      entry: datasets.create,
      validRequest: { body: { name: 'Never made' } },
      requiredFields: ['name'],
      wrongValues: {
        name: ['', 1, 'n'.repeat(41)],
        description: [1, 'd'.repeat(401)],
        provider: ['else'],
        ...settings,
      },
    },
    {
      name: '2 update dataset',
      entry: datasets.update,
      validRequest: { params: dataset, body: {} },
      wrongValues: {
        name: ['', 1, 'n'.repeat(41)],
        description: [1, 'd'.repeat(401)],
        partial_member_list: ['a', [1]],
        ...settings,
      },
      idParams: inDataset,
    },
    {
      name: '3 create document',
      entry: documents.createByText,
      validRequest: { params: dataset, body: { name: 'Never made', text: 'text' } },
      requiredFields: ['name', 'text'],
      wrongValues: { name: ['', 1], text: ['', '  ', 1], doc_form: ['poem'], indexing_technique: ['high'], ...rules },
      idParams: inDataset,
    },
    {
      name: '4 update document by text',
      entry: documents.updateByText,
      validRequest: { params: document, body: { name: 'Never changed', text: 'text' } },
      wrongValues: { name: ['', 1], text: ['', 1], ...rules },
      idParams: inDocument,
    },
    {
      name: '5 update document by file',
      entry: documents.updateByFile,
      validRequest: { params: document, body: new FormData() },
    },
    { name: '6 list documents', entry: documents.list, validRequest: { params: dataset }, idParams: inDataset },
    { name: '7 read segment', entry: segments.read, validRequest: { params: segment }, idParams: inSegment },
    {
      name: '8 list child chunks',
      entry: segments.listChildChunks,
      validRequest: { params: segment },
      idParams: inSegment,
    },
    {
      name: '9 create child chunk',
      entry: segments.createChildChunk,
      validRequest: { params: segment, body: { content: 'Never made' } },
      requiredFields: ['content'],
      wrongValues: { content: ['', 1, null] },
      idParams: inSegment,
    },
    {
      name: '10 update child chunk',
      entry: segments.updateChildChunk,
      validRequest: { params: child, body: { content: 'Never changed' } },
      requiredFields: ['content'],
      wrongValues: { content: ['', 1, null] },
      idParams: [...inSegment, 'child_chunk_id'],
    },
    {
      name: '11 run workflow',
      entry: workflows.run,
      validRequest: { body: { inputs: {}, response_mode: 'blocking', user: 'conformance' } },
      requiredFields: ['inputs', 'user'],
      wrongValues: { inputs: ['a', [1]], ...run },
    },
    {
      name: '12 read run',
      entry: workflows.readRun,
      validRequest: { params: { workflow_run_id: UNKNOWN_ID }, key: 'workflow' },
      idParams: ['workflow_run_id'],
    },
    { name: '13 read parameters', entry: workflows.parameters, validRequest: {} },
    {
      name: '14 send chat message',
      entry: chat.send,
      validRequest: { body: { query: 'Never asked', inputs: {}, response_mode: 'blocking', user: 'conformance' } },
      requiredFields: ['query', 'user'],
      wrongValues: { query: ['', 1], inputs: ['a'], conversation_id: ['nothing', 1], ...run },
    },
    {
      name: '15 rename conversation',
      entry: chat.rename,
      validRequest: { params: { conversation_id }, body: { user: 'conformance', name: 'Never' } },
      requiredFields: ['user', 'name'],
      wrongValues: { ...user, name: ['', 1], auto_generate: ['yes'] },
      idParams: ['conversation_id'],
    },
    {
      name: '16 send completion message',
      entry: completion.send,
      validRequest: { body: { inputs: { query: 'a' }, response_mode: 'blocking', user: 'conformance' } },
      requiredFields: ['inputs', 'user'],
      wrongValues: { inputs: [{}, 'a'], ...run },
    },
    {
      name: '17 annotation reply',
      entry: annotations.reply,
      validRequest: { params: { action: 'disable' }, body: { score_threshold: 0.9 } },
      requiredFields: ['score_threshold'],
      wrongValues: { score_threshold: ['high', -1, 2], embedding_model_name: [1], embedding_provider_name: [1] },
    },
    {
      name: '18 create annotation',
      entry: annotations.create,
      validRequest: { body: { question: 'Never', answer: 'Never' } },
      requiredFields: ['question', 'answer'],
      wrongValues: { question: ['', 1], answer: ['', 1] },
    },
  ]
}
