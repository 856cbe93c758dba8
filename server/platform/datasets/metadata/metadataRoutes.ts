import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { DocumentMetadataUpdate } from '#contract/platform/optionalMetadata.ts'
import { describeMetadataType, parseMetadataValue } from '#domain/metadataValue.ts'
import { isSameText } from '#domain/samenessKey.ts'
import { toInvalidParamError, toNotFoundError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { requireDataset, requireDatasetDetails, type DatasetDetails } from '../datasetRecord.ts'
import type { KnowledgeContext } from '../knowledgeContext.ts'
import { isDuplicate } from '../uniqueViolation.ts'
import { isBuiltInName, listBuiltInFields, type MetadataFieldRow } from './metadataRecord.ts'

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
    const unfit = await listUnfitValues(context, id)
    const doc_metadata = rows.map((field) => {
      const values = unfit.filter(({ field_id }) => field_id === field.id).map(({ field_id: _, ...value }) => value)
      return values.length > 0 ? { ...field, unfit_values: values } : field
    })
    return { doc_metadata, built_in_field_enabled }
  })

  registerPlatformEndpoint(app, optionalEndpoints.createMetadata, async ({ params, body, reply }) => {
    const dataset = await requireDatasetDetails(pool, params.dataset_id)
    refuseBuiltInName(body.name)
    refuseSameName(dataset, body.name)
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
    refuseSameName(dataset, body.name, id)
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

/**
 * Stored values that do not match the type of their field, such as those of earlier releases. They stay until they
 * are changed.
 */
async function listUnfitValues({ database }: KnowledgeContext, dataset_id: string) {
  const { rows } = await database.pool.query<{
    field_id: string
    type: string
    document_id: string
    document_name: string
    value: unknown
  }>(
    `SELECT v.field_id, f.type, d.id AS document_id, d.name AS document_name, v.value
       FROM platform.metadata_fields f JOIN platform.metadata_values v ON v.field_id = f.id
       JOIN platform.documents d ON d.id = v.document_id
      WHERE f.dataset_id = $1 AND f.type <> 'string' AND d.removed_at IS NULL
        AND jsonb_typeof(v.value) NOT IN ('number', 'null') AND v.value <> '""' ORDER BY d.position`,
    [dataset_id],
  )
  return rows
    .filter(({ type, value }) => parseMetadataValue(type, value) === undefined)
    .map(({ type: _, ...row }) => row)
}

/**
 * Changes all documents or none. Values are stored by the type of their field; an existing mismatch may stay.
 * @throws PlatformError 404 for an unknown document or field, 400 for a mismatched value
 */
async function storeValues(
  { database }: KnowledgeContext,
  dataset: DatasetDetails,
  operations: z.output<typeof DocumentMetadataUpdate>['operation_data'],
): Promise<void> {
  for (const { metadata_list } of operations) for (const { id } of metadata_list) requireField(dataset, id)
  await database.transaction(async (client) => {
    const ids = operations.map(({ document_id }) => document_id)
    // A fixed order, so that two writes of the same documents cannot deadlock.
    const { rowCount } = await client.query(
      `SELECT 1 FROM platform.documents WHERE id = ANY($1::uuid[]) AND dataset_id = $2 AND removed_at IS NULL
        ORDER BY id FOR UPDATE`,
      [ids, dataset.id],
    )
    if (rowCount !== new Set(ids.map((id) => id.toLowerCase())).size) throw toNotFoundError('Document')
    const { rows: stored } = await client.query<{ document_id: string; field_id: string; value: unknown }>(
      'SELECT document_id, field_id, value FROM platform.metadata_values WHERE document_id = ANY($1::uuid[])',
      [ids],
    )
    const toValue = (field: MetadataFieldRow, document_id: string, value: string | number | null, path: string) => {
      if (value === null || (value === '' && field.type !== 'string')) return null
      const parsed = parseMetadataValue(field.type, value)
      const isKept = () =>
        stored.some((one) => one.field_id === field.id && one.document_id === document_id && one.value === value)
      if (parsed === undefined && !isKept())
        throw toInvalidParamError(
          `${path} must be ${describeMetadataType(field.type)} for ${field.name}, not ${JSON.stringify(value)}`,
        )
      return parsed ?? value
    }
    for (const [index, { document_id, metadata_list, partial_update }] of operations.entries()) {
      const rows = metadata_list.map(({ id, value }, at) => {
        const path = `operation_data.${index}.metadata_list.${at}.value`
        return { id, value: toValue(requireField(dataset, id), document_id.toLowerCase(), value, path) }
      })
      if (!partial_update)
        await client.query('DELETE FROM platform.metadata_values WHERE document_id = $1', [document_id])
      for (const { id, value } of rows)
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

function refuseSameName({ metadata_fields }: DatasetDetails, name: string, own?: string): void {
  if (metadata_fields.some((field) => field.id !== own && isSameText(field.name, name)))
    throw toInvalidParamError('Metadata name already exists.')
}

const refuseDuplicate = (error: unknown): never => {
  throw isDuplicate(error) ? toInvalidParamError('Metadata name already exists.') : error
}
