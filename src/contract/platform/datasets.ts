import { z } from 'zod'
import { endpoint, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'

const name = z.string().trim().min(1).max(40)
const description = z.string().max(400)
const datasetSettingFields = {
  indexing_technique: shape.IndexingTechnique.optional(),
  permission: shape.DatasetPermission.optional(),
  embedding_model: z.string().max(255).optional(),
  embedding_model_provider: z.string().max(255).optional(),
  retrieval_model: shape.RetrievalModel.optional(),
}

/** Body of operation 1. */
export const DatasetCreate = z.strictObject({
  name,
  description: description.optional(),
  provider: shape.DatasetProvider.optional(),
  external_knowledge_api_id: z.string().max(255).optional(),
  external_knowledge_id: z.string().max(255).optional(),
  ...datasetSettingFields,
})

/** Body of operation 2: only the fields that are present are applied. */
export const DatasetUpdate = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  partial_member_list: z.array(z.union([z.string(), z.strictObject({ user_id: z.string() })])).optional(),
  ...datasetSettingFields,
})

export const toDatasetRef = (dataset: z.output<typeof shape.Dataset>): ResourceRef => ({
  kind: 'dataset',
  id: dataset.id,
  label: dataset.name,
  payload: dataset,
})

export const datasetEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/datasets',
    key: 'knowledge',
    permission: 'edit',
    body: DatasetCreate,
    reply: shape.Dataset,
    resources: (reply) => [toDatasetRef(reply)],
    invalidates: ['datasets'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/datasets/:dataset_id',
    key: 'knowledge',
    permission: 'edit',
    body: DatasetUpdate,
    reply: shape.Dataset,
    resources: (reply) => [toDatasetRef(reply)],
    invalidates: ['datasets'],
  }),
}
