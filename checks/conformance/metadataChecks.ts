import { optionalEndpoints as entries } from '#contract/platform/optionalEndpoints.ts'
import type { ResourceIds } from './conformanceResources.ts'
import { readList, readPath, toRequest, type ConformanceSuite } from './conformanceSuite.ts'
import type { FieldTable } from './fieldTables.ts'

const Tag: FieldTable = { id: 'uuid', name: 'string', type: 'string', binding_count: 'string or null' }
const MetadataField: FieldTable = { id: 'uuid', name: 'string', type: 'string' }
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

type DocumentIds = Pick<ResourceIds, 'dataset_id' | 'document_id'>

/** What the current Service API has beyond the interface: tags, metadata, downloads and pipelines, each where offered. */
export async function checkKnowledgeExtras(suite: ConformanceSuite, ids: DocumentIds): Promise<void> {
  if (await suite.isOffered('tags', toRequest(entries.listTags, {}))) await checkTags(suite, ids)
  const params = { dataset_id: ids.dataset_id }
  if (await suite.isOffered('metadata', toRequest(entries.listMetadata, { params }))) await checkMetadata(suite, ids)
  if (await suite.isOffered('downloads', toRequest(entries.downloadDocument, { params: ids })))
    await checkDownloads(suite, ids)
  await suite.isOffered('pipelines', toRequest(entries.listDatasourcePlugins, { params }))
}

async function checkTags(suite: ConformanceSuite, { dataset_id }: DocumentIds): Promise<void> {
  const name = `tag ${crypto.randomUUID().slice(0, 8)}`
  const made = await suite.expectReply('tag create', entries.createTag, { body: { name } })
  suite.expectFields('tag create: its fields', Tag, made)
  const tag_id = String(readPath(made, 'id'))
  await suite.expectRefusal('tag create: a name that is taken', toRequest(entries.createTag, { body: { name } }), 400)
  const renamed = await suite.expectReply('tag rename', entries.updateTag, { body: { tag_id, name: `${name}, new` } })
  suite.expectEqual('tag rename: its name', readPath(renamed, 'name'), `${name}, new`)
  const body = { tag_ids: [tag_id], target_id: dataset_id }
  await suite.expectEmptyReply('tag bind', toRequest(entries.bindTags, { body }))
  const tags = await suite.expectReply('tags of a dataset', entries.readDatasetTags, { params: { dataset_id } })
  suite.expectEqual(
    'tags of a dataset: the tag',
    readList(tags, 'data').map((one) => readPath(one, 'id')),
    [tag_id],
  )
  const listed = await suite.expectReply('datasets by tag', entries.listDatasets, { query: `tag_ids=${tag_id}` })
  suite.expectEqual(
    'datasets by tag: the dataset',
    readList(listed, 'data').map((one) => readPath(one, 'id')),
    [dataset_id],
  )
  suite.expectEqual('datasets by tag: its tags', readPath(listed, 'data', 0, 'tags', 0, 'name'), `${name}, new`)
  const all = await suite.expectReply('tag list', entries.listTags)
  const tag = (Array.isArray(all) ? all : []).find((one) => readPath(one, 'id') === tag_id)
  suite.expectEqual('tag list: its count', readPath(tag, 'binding_count'), '1')
  await suite.expectEmptyReply('tag unbind', toRequest(entries.unbindTags, { body }))
  await suite.expectRefusal(
    'tag bind: to no dataset',
    toRequest(entries.bindTags, { body: { ...body, target_id: UNKNOWN_ID } }),
    404,
  )
  await suite.expectEmptyReply('tag delete', toRequest(entries.deleteTag, { body: { tag_id } }))
  await suite.expectRefusal('tag delete: again', toRequest(entries.deleteTag, { body: { tag_id } }), 404)
}

async function checkMetadata(suite: ConformanceSuite, { dataset_id, document_id }: DocumentIds): Promise<void> {
  const params = { dataset_id }
  const create = (type: string, name: string) => toRequest(entries.createMetadata, { params, body: { type, name } })
  const made = await suite.expectCreated('metadata create', create('string', 'origin'))
  suite.expectFields('metadata create: its fields', MetadataField, made)
  const metadata_id = String(readPath(made, 'id'))
  await suite.expectRefusal('metadata create: a name that is taken', create('number', 'origin'), 400)
  await suite.expectRefusal('metadata create: a type that is none', create('date', 'when'), 400)
  const field = { ...params, metadata_id }
  const renamed = await suite.expectReply('metadata rename', entries.updateMetadata, {
    params: field,
    body: { name: 'region' },
  })
  suite.expectEqual('metadata rename: its name', readPath(renamed, 'name'), 'region')
  const value = { id: metadata_id, name: 'region', value: 'Fujian' }
  await suite.expectReply('metadata of documents', entries.updateDocumentMetadata, {
    params,
    body: { operation_data: [{ document_id, metadata_list: [value] }] },
  })
  const document = await suite.expectReply('metadata of a document', entries.readDocument, {
    params: { dataset_id, document_id },
  })
  const values = readList(document, 'doc_metadata')
  suite.expectEqual(
    'metadata of a document: its value',
    readPath(
      values.find((one) => readPath(one, 'id') === metadata_id),
      'value',
    ),
    'Fujian',
  )
  const listed = await suite.expectReply('metadata list', entries.listMetadata, { params })
  suite.expectEqual('metadata list: its count', readPath(listed, 'doc_metadata', 0, 'count'), 1)
  await checkMetadataFilter(suite, dataset_id)
  const builtIn = await suite.expectReply('metadata, built-in', entries.listBuiltInMetadata, { params })
  suite.expectTrue('metadata, built-in: there are some', readList(builtIn, 'fields').length > 0)
  for (const [action, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    await suite.expectReply(`metadata, built-in: ${action}`, entries.setBuiltInMetadata, {
      params: { ...params, action },
    })
    const { body } = await suite.send(toRequest(entries.listMetadata, { params }))
    suite.expectEqual(`metadata, built-in: ${action} is kept`, readPath(body, 'built_in_field_enabled'), isEnabled)
  }
  await suite.expectEmptyReply('metadata delete', toRequest(entries.deleteMetadata, { params: field }))
}

async function checkMetadataFilter(suite: ConformanceSuite, dataset_id: string): Promise<void> {
  for (const [value, isFound] of [
    ['Fujian', true],
    ['Yunnan', false],
  ] as const) {
    const conditions = [{ name: 'region', comparison_operator: 'is', value }]
    const retrieval_model = {
      search_method: 'keyword_search',
      reranking_enable: false,
      top_k: 5,
      score_threshold_enabled: false,
      metadata_filtering_conditions: { logical_operator: 'and', conditions },
    }
    const found = await suite.expectReply(`retrieve by metadata, ${value}`, entries.retrieve, {
      params: { dataset_id },
      body: { query: 'water', retrieval_model },
    })
    suite.expectEqual(`retrieve by metadata, ${value}: finds`, readList(found, 'records').length > 0, isFound)
  }
}

async function checkDownloads(suite: ConformanceSuite, params: DocumentIds): Promise<void> {
  const link = await suite.expectReply('document download', entries.downloadDocument, { params })
  const url = String(readPath(link, 'url'))
  suite.expectTrue('document download: a link', URL.canParse(url, suite.platform.base), url)
  const { dataset_id, document_id } = params
  const archive = await suite.send(
    toRequest(entries.downloadDocuments, { params: { dataset_id }, body: { document_ids: [document_id] } }),
  )
  suite.expectEqual('documents as an archive: 200', archive.status, 200)
  suite.expectTrue(
    'documents as an archive: a zip file',
    archive.text.startsWith('PK') && /^application\/zip\b/.test(archive.headers.get('content-type') ?? ''),
  )
  await suite.expectRefusal(
    'documents as an archive: an unknown one',
    toRequest(entries.downloadDocuments, { params: { dataset_id }, body: { document_ids: [UNKNOWN_ID] } }),
    404,
  )
  const form = new FormData()
  form.append('file', new File(['Green tea is steeped.'], 'patched.md'))
  const receipt = await suite.expectReply('update document by PATCH', entries.updateDocument, { params, body: form })
  suite.expectEqual('update document by PATCH: its name', readPath(receipt, 'document', 'name'), 'patched.md')
}
