import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { DocumentMetadataUpdate } from '#contract/platform/optionalMetadata.ts'
import { toInvalidParamError, toNotFoundError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { requireDataset, requireDatasetDetails, type DatasetDetails } from '../datasetRecord.ts'
import type { KnowledgeContext } from '../knowledgeContext.ts'
import { isDuplicate } from '../uniqueViolation.ts'
import { isBuiltInName, listBuiltInFields, type MetadataFieldRow } from './metadataRecord.ts'

/** Metadata fields of datasets, and the values of documents. */
export function registerMetadataRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  const { database, clock } = context
  const { pool } = database

  registerPlatformEndpoint(app, optionalEndpoints.listMetadata, async ({ params }) => {
    const { id, built_in_field_enabled } = await requireDataset(pool, params.dataset_id)
    const { rows } = await pool.query<MetadataFieldRow & { count: number }>(
      `SELECT f.id, f.name, f.type, (
         SELECT count(*)::int4 FROM platform.metadata_values v JOIN platform.documents d ON d.id = v.document_id
          WHERE v.field_id = f.id AND d.removed_at IS NULL) AS count
         FROM platform.metadata_fields f WHERE f.dataset_id = $1 ORDER BY f.created_at, f.id`,
      [id],
    )
    return { doc_metadata: rows, built_in_field_enabled }
  })

  registerPlatformEndpoint(app, optionalEndpoints.createMetadata, async ({ params, body, reply }) => {
    const dataset = await requireDataset(pool, params.dataset_id)
    refuseBuiltInName(body.name)
    const field = { id: randomUUID(), type: body.type, name: body.name }
    await pool
      .query(
        'INSERT INTO platform.metadata_fields (id, dataset_id, name, type, created_at) VALUES ($1, $2, $3, $4, $5)',
        [field.id, dataset.id, field.name, field.type, new Date(clock())],
      )
      .catch(refuseDuplicate)
    void reply.code(201)
    return field
  })

  registerPlatformEndpoint(app, optionalEndpoints.updateMetadata, async ({ params, body }) => {
    const dataset = await requireDatasetDetails(pool, params.dataset_id)
    const { id, type } = requireField(dataset, params.metadata_id)
    refuseBuiltInName(body.name)
    await pool
      .query('UPDATE platform.metadata_fields SET name = $2 WHERE id = $1', [id, body.name])
      .catch(refuseDuplicate)
    return { id, type, name: body.name }
  })

  registerPlatformEndpoint(app, optionalEndpoints.deleteMetadata, async ({ params }) => {
    const dataset = await requireDatasetDetails(pool, params.dataset_id)
    const { id } = requireField(dataset, params.metadata_id)
    await pool.query('DELETE FROM platform.metadata_fields WHERE id = $1', [id])
  })

  registerPlatformEndpoint(app, optionalEndpoints.listBuiltInMetadata, async ({ params }) => {
    await requireDataset(pool, params.dataset_id)
    return { fields: listBuiltInFields() }
  })

  registerPlatformEndpoint(
    app,
    optionalEndpoints.setBuiltInMetadata,
    async ({ params }) => {
      const { id } = await requireDataset(pool, params.dataset_id)
      await pool.query('UPDATE platform.datasets SET built_in_field_enabled = $2 WHERE id = $1', [
        id,
        params.action === 'enable',
      ])
      return { result: 'success' }
    },
    { paramErrorCode: 'invalid_action' },
  )

  registerPlatformEndpoint(app, optionalEndpoints.updateDocumentMetadata, async ({ params, body }) => {
    const dataset = await requireDatasetDetails(pool, params.dataset_id)
    await storeValues(context, dataset, body.operation_data)
    return { result: 'success' }
  })
}

/** All documents or none. @throws PlatformError 404 for a document or field that the dataset does not have */
async function storeValues(
  { database }: KnowledgeContext,
  dataset: DatasetDetails,
  operations: z.output<typeof DocumentMetadataUpdate>['operation_data'],
): Promise<void> {
  for (const { metadata_list } of operations) for (const { id } of metadata_list) requireField(dataset, id)
  await database.transaction(async (client) => {
    const ids = operations.map(({ document_id }) => document_id)
    // In a fixed order, so that two writes of the same documents cannot deadlock.
    const { rowCount } = await client.query(
      `SELECT 1 FROM platform.documents WHERE id = ANY($1::uuid[]) AND dataset_id = $2 AND removed_at IS NULL
        ORDER BY id FOR UPDATE`,
      [ids, dataset.id],
    )
    if (rowCount !== new Set(ids.map((id) => id.toLowerCase())).size) throw toNotFoundError('Document')
    for (const { document_id, metadata_list, partial_update } of operations) {
      if (!partial_update)
        await client.query('DELETE FROM platform.metadata_values WHERE document_id = $1', [document_id])
      for (const { id, value } of metadata_list)
        await client.query(
          `INSERT INTO platform.metadata_values (document_id, field_id, value) VALUES ($1, $2, $3)
           ON CONFLICT (document_id, field_id) DO UPDATE SET value = excluded.value`,
          [document_id, id, JSON.stringify(value)],
        )
    }
  })
}

function requireField({ metadata_fields }: DatasetDetails, id: string): MetadataFieldRow {
  const field = metadata_fields.find((one) => one.id === id.toLowerCase())
  if (!field) throw toNotFoundError('Metadata')
  return field
}

function refuseBuiltInName(name: string): void {
  if (isBuiltInName(name)) throw toInvalidParamError('Metadata name already exists in Built-in fields.')
}

const refuseDuplicate = (error: unknown): never => {
  throw isDuplicate(error) ? toInvalidParamError('Metadata name already exists.') : error
}
