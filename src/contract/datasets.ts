import { z } from 'zod'
import { endpoint, type Named } from './endpoint.ts'
import * as shape from './shapes.ts'

const name = z.string().trim().min(1).max(40)
const description = z.string().max(400)
const settings = {
  indexing_technique: shape.IndexingTechnique.optional(),
  permission: shape.Permission.optional(),
  embedding_model: z.string().max(255).optional(),
  embedding_model_provider: z.string().max(255).optional(),
  retrieval_model: shape.RetrievalModel.optional(),
}

/** Body of operation 1. */
export const DatasetCreate = z.strictObject({
  name,
  description: description.optional(),
  provider: shape.Provider.optional(),
  external_knowledge_api_id: z.string().max(255).optional(),
  external_knowledge_id: z.string().max(255).optional(),
  ...settings,
})

/** Body of operation 2: only the fields that are present are applied. */
export const DatasetUpdate = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  partial_member_list: z.array(z.union([z.string(), z.strictObject({ user_id: z.string() })])).optional(),
  ...settings,
})

export const nameDataset = (dataset: z.output<typeof shape.Dataset>): Named => ({
  kind: 'dataset',
  id: dataset.id,
  label: dataset.name,
  payload: dataset,
})

export const datasets = {
  /** Operation 1: creates an empty knowledge base. */
  create: endpoint({
    method: 'POST',
    path: '/datasets',
    key: 'knowledge',
    permission: 'edit',
    body: DatasetCreate,
    reply: shape.Dataset,
    names: (reply) => [nameDataset(reply)],
    touches: ['datasets'],
  }),
  /** Operation 2: updates a knowledge base. */
  update: endpoint({
    method: 'PATCH',
    path: '/datasets/:dataset_id',
    key: 'knowledge',
    permission: 'edit',
    body: DatasetUpdate,
    reply: shape.Dataset,
    names: (reply) => [nameDataset(reply)],
    touches: ['datasets'],
  }),
}
