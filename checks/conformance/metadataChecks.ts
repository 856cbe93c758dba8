import { optionalEndpoints as entries } from '#contract/platform/optionalEndpoints.ts'
import {
  type ConformanceSuite,
  readList,
  readPath,
  readText,
  type ResourceIds,
  toRequest,
  UNKNOWN_ID,
} from './conformanceSuite.ts'
import { MetadataField, Tag } from './fieldTables.ts'

type DocumentIds = Pick<ResourceIds, 'dataset_id' | 'document_id'>

/** What the current Service API has beyond the interface: tags, metadata, downloads and pipelines, each where offered. */
export async function checkKnowledgeExtras(
  suite: ConformanceSuite,
  { dataset_id, document_id }: DocumentIds,
): Promise<void> {
  const [params, ids] = [{ dataset_id }, { dataset_id, document_id }]
  if (await suite.step('tags').isOffered(toRequest(entries.listTags))) await checkTags(suite, ids)
  if (await suite.step('metadata').isOffered(toRequest(entries.listMetadata, { params })))
    await checkMetadata(suite, ids)
  if (await suite.step('downloads').isOffered(toRequest(entries.downloadDocument, { params: ids })))
    await checkDownloads(suite, ids)
  await suite.step('pipelines').isOffered(toRequest(entries.listDatasourcePlugins, { params }))
}

const listIds = (list: unknown): unknown[] => readList(list, 'data').map((one) => readPath(one, 'id'))

async function checkTags(suite: ConformanceSuite, { dataset_id }: DocumentIds): Promise<void> {
  const name = `tag ${crypto.randomUUID().slice(0, 8)}`
  const create = suite.step('tag create')
  const made = await create.reply(entries.createTag, { body: { name } })
  create.fields('its fields', Tag, made)
  const tag_id = readText(made, 'id')
  await create.refuses('a name that is taken', toRequest(entries.createTag, { body: { name } }), 400)
  const rename = suite.step('tag rename')
  const renamed = await rename.reply(entries.updateTag, { body: { tag_id, name: `${name}, new` } })
  rename.equal('its name', readPath(renamed, 'name'), `${name}, new`)
  const body = { tag_ids: [tag_id], target_id: dataset_id }
  await suite.step('tag bind').empty(toRequest(entries.bindTags, { body }))
  const bound = suite.step('tags of a dataset')
  bound.equal('the tag', listIds(await bound.reply(entries.readDatasetTags, { params: { dataset_id } })), [tag_id])
  const byTag = suite.step('datasets by tag')
  const listed = await byTag.reply(entries.listDatasets, { query: `tag_ids=${tag_id}` })
  byTag.equal('the dataset', listIds(listed), [dataset_id])
  byTag.equal('its tags', readPath(listed, 'data', 0, 'tags', 0, 'name'), `${name}, new`)
  const list = suite.step('tag list')
  const all = await list.reply(entries.listTags)
  const tag = (Array.isArray(all) ? all : []).find((one) => readPath(one, 'id') === tag_id)
  list.equal('its count', readPath(tag, 'binding_count'), '1')
  await suite.step('tag unbind').empty(toRequest(entries.unbindTags, { body }))
  const toNone = toRequest(entries.bindTags, { body: { ...body, target_id: UNKNOWN_ID } })
  await suite.step('tag bind').refuses('to no dataset', toNone, 404)
  await suite.step('tag delete').empty(toRequest(entries.deleteTag, { body: { tag_id } }))
  await suite.step('tag delete').refuses('again', toRequest(entries.deleteTag, { body: { tag_id } }), 404)
}

async function checkMetadata(suite: ConformanceSuite, { dataset_id, document_id }: DocumentIds): Promise<void> {
  const params = { dataset_id }
  const step = suite.step('metadata create')
  const create = (type: string, name: string) => toRequest(entries.createMetadata, { params, body: { type, name } })
  const made = await step.created(create('string', 'origin'))
  step.fields('its fields', MetadataField, made)
  const metadata_id = readText(made, 'id')
  await step.refuses('a name that is taken', create('number', 'origin'), 400)
  await step.refuses('a type that is none', create('date', 'when'), 400)
  const field = { ...params, metadata_id }
  const rename = suite.step('metadata rename')
  const renamed = await rename.reply(entries.updateMetadata, { params: field, body: { name: 'region' } })
  rename.equal('its name', readPath(renamed, 'name'), 'region')
  const value = { id: metadata_id, name: 'region', value: 'Fujian' }
  const operation_data = [{ document_id, metadata_list: [value] }]
  await suite.expectReply('metadata of documents', entries.updateDocumentMetadata, { params, body: { operation_data } })
  const one = suite.step('metadata of a document')
  const document = await one.reply(entries.readDocument, { params: { dataset_id, document_id } })
  const stored = readList(document, 'doc_metadata').find((given) => readPath(given, 'id') === metadata_id)
  one.equal('its value', readPath(stored, 'value'), 'Fujian')
  const list = suite.step('metadata list')
  list.equal('its count', readPath(await list.reply(entries.listMetadata, { params }), 'doc_metadata', 0, 'count'), 1)
  for (const [word, isFound] of Object.entries({ Fujian: true, Yunnan: false })) {
    const conditions = [{ name: 'region', comparison_operator: 'is', value: word }]
    const retrieval_model = {
      search_method: 'keyword_search',
      reranking_enable: false,
      top_k: 5,
      score_threshold_enabled: false,
      metadata_filtering_conditions: { logical_operator: 'and', conditions },
    }
    const filtered = suite.step(`retrieve by metadata, ${word}`)
    const found = await filtered.reply(entries.retrieve, { params, body: { query: 'water', retrieval_model } })
    filtered.equal('finds', readList(found, 'records').length > 0, isFound)
  }
  const builtIn = suite.step('metadata, built-in')
  const fields = await builtIn.reply(entries.listBuiltInMetadata, { params })
  builtIn.holds('there are some', readList(fields, 'fields').length > 0)
  for (const [action, isEnabled] of Object.entries({ enable: true, disable: false })) {
    const given = { params: { ...params, action } }
    await suite.expectReply(`metadata, built-in: ${action}`, entries.setBuiltInMetadata, given)
    const { body } = await suite.send(toRequest(entries.listMetadata, { params }))
    builtIn.equal(`${action} is kept`, readPath(body, 'built_in_field_enabled'), isEnabled)
  }
  await suite.step('metadata delete').empty(toRequest(entries.deleteMetadata, { params: field }))
}

async function checkDownloads(suite: ConformanceSuite, params: DocumentIds & Record<string, string>): Promise<void> {
  const { dataset_id, document_id } = params
  const step = suite.step('document download')
  const url = readText(await step.reply(entries.downloadDocument, { params }), 'url')
  step.holds('a link', URL.canParse(url, suite.platform.base), url)
  const download = (id: string) =>
    toRequest(entries.downloadDocuments, { params: { dataset_id }, body: { document_ids: [id] } })
  const archive = suite.step('documents as an archive')
  const { status, text, headers } = await suite.send(download(document_id))
  archive.equal('200', status, 200)
  const isZip = text.startsWith('PK') && /^application\/zip\b/.test(headers.get('content-type') ?? '')
  archive.holds('a zip file', isZip)
  await archive.refuses('an unknown one', download(UNKNOWN_ID), 404)
  const form = new FormData()
  form.append('file', new File(['Green tea is steeped.'], 'patched.md'))
  const update = suite.step('update document by PATCH')
  const receipt = await update.reply(entries.updateDocument, { params, body: form })
  update.equal('its name', readPath(receipt, 'document', 'name'), 'patched.md')
}
