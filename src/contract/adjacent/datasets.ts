import { z } from 'zod'
import { nameDataset } from '../datasets.ts'
import { endpoint, Id, type Named } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { Gone, paged, words } from './shared.ts'

/** A question put to a knowledge base alone; the platform cuts it off at 250 characters. */
export const RetrieveRequest = z.strictObject({
  query: z.string().min(1).max(250),
  retrieval_model: shape.RetrievalModel.optional(),
  external_retrieval_model: shape.object.optional(),
  attachment_ids: z.array(Id).optional(),
})

/** One segment that was found, with the document it stands in. `score` runs from 0 to 1. */
export const Found = shape.record(
  {},
  {
    segment: shape.Segment.extend({ document: shape.record({}, { id: shape.text, name: shape.text }).nullish() }),
    child_chunks: z.array(
      shape.record({ id: shape.text }, { content: shape.text, position: shape.integer, score: z.number() }),
    ),
    score: z.number(),
    files: z.array(z.unknown()),
    summary: shape.text,
  },
)

/** A provider of models and what it offers; labels are by language (`en_US`). */
export const ModelProvider = shape.record(
  {},
  {
    provider: shape.text,
    label: shape.object,
    status: shape.text,
    models: z.array(
      shape.record(
        {},
        { model: shape.text, label: shape.object, model_type: shape.text, status: shape.text, deprecated: shape.flag },
      ),
    ),
  },
)

export const datasets = {
  /** Lists the knowledge bases of the key’s workspace. */
  listDatasets: endpoint({
    method: 'GET',
    path: '/datasets',
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ ...paged, tag_ids: words, include_all: z.enum(['true', 'false']).optional() }),
    reply: shape.list(shape.Dataset),
    names: (reply) => reply.data.map(nameDataset),
    shows: ['datasets'],
    adjacent: true,
  }),
  /** Reads one knowledge base. */
  readDataset: endpoint({
    method: 'GET',
    path: '/datasets/:dataset_id',
    key: 'knowledge',
    permission: 'read',
    reply: shape.Dataset,
    names: (reply) => [nameDataset(reply)],
    shows: ['datasets'],
    adjacent: true,
  }),
  /** Deletes a knowledge base with all its documents; refused while one is indexed or an application uses it. */
  deleteDataset: endpoint({
    method: 'DELETE',
    path: '/datasets/:dataset_id',
    key: 'knowledge',
    permission: 'edit',
    reply: Gone,
    touches: ['datasets', 'documents', 'segments', 'child_chunks'],
    adjacent: true,
  }),
  /** Puts a question to one knowledge base and gives the segments found, best first. */
  retrieve: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/retrieve',
    key: 'knowledge',
    permission: 'run',
    body: RetrieveRequest,
    reply: shape.record({}, { query: shape.record({}, { content: shape.text }), records: z.array(Found) }),
    names: (reply, { params }) => (reply.records ?? []).flatMap((record) => nameFound(record, params.dataset_id)),
    adjacent: true,
  }),
  /** Lists the models of one type that the workspace may use. */
  listModels: endpoint({
    method: 'GET',
    path: '/workspaces/current/models/model-types/:model_type',
    key: 'knowledge',
    permission: 'read',
    params: { model_type: z.enum(['llm', 'text-embedding', 'rerank', 'speech2text', 'moderation', 'tts']) },
    reply: shape.record({}, { data: z.array(ModelProvider) }),
    adjacent: true,
  }),
}

function nameFound(record: z.output<typeof Found>, dataset_id: string): Named[] {
  const { segment } = record
  if (!segment) return []
  const document_id = segment.document_id ?? segment.document?.id
  if (!document_id) return []
  return [
    { kind: 'document', id: document_id, label: segment.document?.name, parent: dataset_id },
    { kind: 'segment', id: segment.id, label: segment.content?.slice(0, 80), parent: document_id },
  ]
}
