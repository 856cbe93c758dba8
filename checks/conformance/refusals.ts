import { contract } from '#contract/index.ts'
import { isForm, type Endpoint } from '#contract/endpoint.ts'
import type { Ids } from './things.ts'
import { requestOf, type Given, type Suite } from './suite.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** An operation with a request that is right but for what is then spoiled. */
interface Operation {
  name: string
  entry: Endpoint
  given: Given
  /** Fields without which it is refused, and values that a field does not take. */
  required?: string[]
  wrong?: Record<string, unknown[]>
  /** Path parameters of which each is tried with an id that is not there. */
  ids?: string[]
}

/** What every operation refuses: the wrong key, a body that is none, missing and wrong fields, ids that are not there. */
export async function refusals(suite: Suite, ids: Ids): Promise<void> {
  for (const operation of operationsOf(ids)) {
    await wrongKeys(suite, operation)
    await wrongBodies(suite, operation)
    await wrongFields(suite, operation)
    await wrongIds(suite, operation)
  }
}

async function wrongKeys(suite: Suite, { name, entry, given }: Operation): Promise<void> {
  const right = requestOf(entry, given)
  const other = entry.key === 'knowledge' ? 'chat' : 'knowledge'
  await suite.refuses(`${name}: no key`, { ...right, key: null }, 401, 'unauthorized')
  await suite.refuses(`${name}: no bearer`, { ...right, key: { header: 'Basic eDp5' } }, 401, 'unauthorized')
  await suite.refuses(`${name}: unknown key`, { ...right, key: { header: 'Bearer unknown' } }, 401, 'unauthorized')
  await suite.refuses(`${name}: a key of the other kind`, { ...right, key: other }, 401, 'unauthorized')
}

async function wrongBodies(suite: Suite, { name, entry, given }: Operation): Promise<void> {
  const right = requestOf(entry, given)
  if (!entry.body) return
  if (isForm(entry.body)) {
    await suite.refuses(`${name}: JSON in place of a form`, { ...right, body: { name: 'a' } }, 415)
    return
  }
  await suite.refuses(`${name}: broken JSON`, { ...right, body: '{"a":', type: 'application/json' }, 400)
  await suite.refuses(`${name}: a list for a body`, { ...right, body: '[1]', type: 'application/json' }, 400)
  await suite.refuses(`${name}: a text for a body`, { ...right, body: 'a=b', type: 'text/plain' }, 415)
}

async function wrongFields(suite: Suite, { name, entry, given, required = [], wrong = {} }: Operation): Promise<void> {
  const right = requestOf(entry, given)
  const body = (given.body ?? {}) as Record<string, unknown>
  const refused = async (what: string, field: string, spoiled: unknown) => {
    const reply = await suite.ask({ ...right, body: spoiled })
    suite.refused(`${name}: ${what}`, reply, 400, 'invalid_param')
    suite.holds(`${name}: ${what} is named`, reply.text.includes(field), reply.body)
  }
  for (const field of required) {
    const { [field]: _, ...rest } = body
    await refused(`without ${field}`, field, rest)
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      await refused(`${field} as ${JSON.stringify(value).slice(0, 40)}`, field, { ...body, [field]: value })
}

async function wrongIds(suite: Suite, { name, entry, given, ids = [] }: Operation): Promise<void> {
  for (const id of ids) {
    const asked = (value: string) => requestOf(entry, { ...given, params: { ...given.params, [id]: value } })
    await suite.refuses(`${name}: unknown ${id}`, asked(UNKNOWN), 404, 'not_found')
    await suite.refuses(`${name}: ${id} that is no UUID`, asked('nothing'), 404)
  }
}

function operationsOf({ dataset_id, document_id, segment_id, child_chunk_id, conversation_id }: Ids): Operation[] {
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
      given: { body: { name: 'Never made' } },
      required: ['name'],
      wrong: { name: ['', 1, 'n'.repeat(41)], description: [1, 'd'.repeat(401)], provider: ['else'], ...settings },
    },
    {
      name: '2 update dataset',
      entry: datasets.update,
      given: { params: dataset, body: {} },
      wrong: {
        name: ['', 1, 'n'.repeat(41)],
        description: [1, 'd'.repeat(401)],
        partial_member_list: ['a', [1]],
        ...settings,
      },
      ids: inDataset,
    },
    {
      name: '3 create document',
      entry: documents.createByText,
      given: { params: dataset, body: { name: 'Never made', text: 'text' } },
      required: ['name', 'text'],
      wrong: { name: ['', 1], text: ['', '  ', 1], doc_form: ['poem'], indexing_technique: ['high'], ...rules },
      ids: inDataset,
    },
    {
      name: '4 update document by text',
      entry: documents.updateByText,
      given: { params: document, body: { name: 'Never changed', text: 'text' } },
      wrong: { name: ['', 1], text: ['', 1], ...rules },
      ids: inDocument,
    },
    {
      name: '5 update document by file',
      entry: documents.updateByFile,
      given: { params: document, body: new FormData() },
    },
    { name: '6 list documents', entry: documents.list, given: { params: dataset }, ids: inDataset },
    { name: '7 read segment', entry: segments.read, given: { params: segment }, ids: inSegment },
    { name: '8 list child chunks', entry: segments.listChildChunks, given: { params: segment }, ids: inSegment },
    {
      name: '9 create child chunk',
      entry: segments.createChildChunk,
      given: { params: segment, body: { content: 'Never made' } },
      required: ['content'],
      wrong: { content: ['', 1, null] },
      ids: inSegment,
    },
    {
      name: '10 update child chunk',
      entry: segments.updateChildChunk,
      given: { params: child, body: { content: 'Never changed' } },
      required: ['content'],
      wrong: { content: ['', 1, null] },
      ids: [...inSegment, 'child_chunk_id'],
    },
    {
      name: '11 run workflow',
      entry: workflows.run,
      given: { body: { inputs: {}, response_mode: 'blocking', user: 'conformance' } },
      required: ['inputs', 'user'],
      wrong: { inputs: ['a', [1]], ...run },
    },
    {
      name: '12 read run',
      entry: workflows.readRun,
      given: { params: { workflow_run_id: UNKNOWN }, key: 'workflow' },
      ids: ['workflow_run_id'],
    },
    { name: '13 read parameters', entry: workflows.parameters, given: {} },
    {
      name: '14 send chat message',
      entry: chat.send,
      given: { body: { query: 'Never asked', inputs: {}, response_mode: 'blocking', user: 'conformance' } },
      required: ['query', 'user'],
      wrong: { query: ['', 1], inputs: ['a'], conversation_id: ['nothing', 1], ...run },
    },
    {
      name: '15 rename conversation',
      entry: chat.rename,
      given: { params: { conversation_id }, body: { user: 'conformance', name: 'Never' } },
      required: ['user', 'name'],
      wrong: { ...user, name: ['', 1], auto_generate: ['yes'] },
      ids: ['conversation_id'],
    },
    {
      name: '16 send completion message',
      entry: completion.send,
      given: { body: { inputs: { query: 'a' }, response_mode: 'blocking', user: 'conformance' } },
      required: ['inputs', 'user'],
      wrong: { inputs: [{}, 'a'], ...run },
    },
    {
      name: '17 annotation reply',
      entry: annotations.reply,
      given: { params: { action: 'disable' }, body: { score_threshold: 0.9 } },
      required: ['score_threshold'],
      wrong: { score_threshold: ['high', -1, 2], embedding_model_name: [1], embedding_provider_name: [1] },
    },
    {
      name: '18 create annotation',
      entry: annotations.create,
      given: { body: { question: 'Never', answer: 'Never' } },
      required: ['question', 'answer'],
      wrong: { question: ['', 1], answer: ['', 1] },
    },
  ]
}
