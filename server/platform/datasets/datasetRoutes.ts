import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { OWNER_ID, type PlatformContext } from '../platformContext.ts'
import { toInvalidParamError, PlatformError } from '../platformErrors.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { parseRetrievalSettings } from '../retrieval/retrievalSettings.ts'
import { TERMS_VERSION } from '../retrieval/termsVersion.ts'
import {
  DATASET_COLUMNS,
  lockDataset,
  requireDataset,
  requireDatasetDetails,
  toDataset,
  withUsedSearchMethod,
  type DatasetDetails,
  type DatasetRow,
} from './datasetRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { findByKeyword, toListPage } from './listPage.ts'
import { isDuplicate } from './uniqueViolation.ts'

export function registerDatasetRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  const { database, model, clock, indexingQueue, keys } = context
  const { pool } = database
  /** Every chat and workflow application may search every dataset. */
  const app_count = keys.filter(({ kind }) => kind === 'chat' || kind === 'workflow').length
  const toReply = (row: DatasetDetails) => toDataset(row, model, app_count)
  /** Only reads find out whether the embedding model is available, as upstream. */
  const toWriteReply = (row: DatasetDetails) => ({ ...toReply(row), embedding_available: null })

  registerPlatformEndpoint(app, contract.datasets.create, async ({ body }) => {
    const id = randomUUID()
    await createDataset(context, id, body)
    return toWriteReply(await requireDatasetDetails(pool, id))
  })

  registerPlatformEndpoint(app, contract.datasets.update, async ({ params, body }) => {
    const changes = await database
      .transaction(async (client) => {
        const row = await lockDataset(client, params.dataset_id)
        const columns = toColumnChanges(row, body)
        const settings = Object.keys(columns).map((name, index) => `, ${name} = $${index + 4}`)
        await client.query(
          `UPDATE platform.datasets SET updated_at = $2, updated_by = $3${settings.join('')} WHERE id = $1`,
          [row.id, new Date(clock()), OWNER_ID, ...Object.values(columns)],
        )
        return columns
      })
      .catch((error: unknown) => {
        // Only creation has its own error code for this, as upstream.
        throw isDuplicate(error)
          ? toInvalidParamError(`name is taken: there is a dataset named ${body.name ?? ''}`)
          : error
      })
    if ('embedding_pending' in changes) indexingQueue.runSoon()
    const updated = await requireDatasetDetails(pool, params.dataset_id)
    return { ...toWriteReply(updated), partial_member_list: updated.partial_members }
  })

  registerPlatformEndpoint(app, optionalEndpoints.listDatasets, async ({ query }) => {
    const where = `WHERE t.removed_at IS NULL AND ($1::uuid[] IS NULL OR t.id = ANY($1)) AND ($2::text[] IS NULL OR EXISTS (
      SELECT 1 FROM platform.tag_bindings b WHERE b.dataset_id = t.id AND b.tag_id::text = ANY($2)))`
    const tag_ids = [query.tag_ids ?? []].flat().filter(Boolean)
    const namesSql = 'SELECT id, name AS text FROM platform.datasets WHERE removed_at IS NULL'
    const values = [await findByKeyword(pool, query.keyword, namesSql, []), tag_ids.length > 0 ? tag_ids : null]
    const { rows } = await pool.query<DatasetDetails>(
      `SELECT ${DATASET_COLUMNS} ${where} ORDER BY t.created_at DESC, t.id LIMIT $3 OFFSET $4`,
      [...values, query.limit, (query.page - 1) * query.limit],
    )
    const total = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.datasets t ${where}`,
      values,
    )
    return toListPage(rows.map(toReply), total.rows[0]?.total ?? 0, query)
  })

  registerPlatformEndpoint(app, optionalEndpoints.readDataset, async ({ params }) =>
    toReply(withUsedSearchMethod(await requireDatasetDetails(pool, params.dataset_id))),
  )

  registerPlatformEndpoint(app, optionalEndpoints.deleteDataset, async ({ params }) => {
    const row = await requireDataset(pool, params.dataset_id)
    await database.transaction(async (client) => {
      const now = new Date(clock())
      // Documents before their dataset and in the order of their ids, as every writer locks them.
      await client.query(
        `UPDATE platform.documents SET removed_at = $2
          WHERE id IN (SELECT id FROM platform.documents WHERE dataset_id = $1 ORDER BY id FOR UPDATE)`,
        [row.id, now],
      )
      await client.query('UPDATE platform.datasets SET removed_at = $2 WHERE id = $1', [row.id, now])
    })
    indexingQueue.runSoon()
  })
}

type DatasetCreateBody = NonNullable<typeof contract.datasets.create.body>['_zod']['output']
type DatasetUpdateBody = NonNullable<typeof contract.datasets.update.body>['_zod']['output']

/** @throws PlatformError 409 `dataset_name_duplicate`; 400 for an external dataset without its location. */
export async function createDataset(
  { database, clock }: PlatformContext,
  id: string,
  body: DatasetCreateBody,
): Promise<void> {
  const provider = body.provider ?? 'vendor'
  if (provider === 'external')
    for (const field of ['external_knowledge_api_id', 'external_knowledge_id'] as const)
      if (!body[field]) throw toInvalidParamError(`${field} is required when provider is external`)
  const now = new Date(clock())
  await database.pool
    .query(
      `INSERT INTO platform.datasets (id, name, description, provider, permission, indexing_technique, embedding_model,
              embedding_model_provider, retrieval_model, external_knowledge_api_id, external_knowledge_id,
              partial_members, created_by, created_at, updated_by, updated_at, terms_version)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '{}', $12, $13, $12, $13, $14)`,
      [
        id,
        body.name,
        body.description ?? '',
        provider,
        body.permission ?? 'only_me',
        body.indexing_technique ?? null,
        body.embedding_model ?? null,
        body.embedding_model_provider ?? null,
        JSON.stringify(parseRetrievalSettings(body.retrieval_model)),
        body.external_knowledge_api_id ?? null,
        body.external_knowledge_id ?? null,
        OWNER_ID,
        now,
        TERMS_VERSION,
      ],
    )
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error
      throw new PlatformError(409, 'dataset_name_duplicate', `A dataset named ${body.name} already exists.`)
    })
}

/** The columns that an update sets: only fields that are present in the body. */
function toColumnChanges(row: DatasetRow, body: DatasetUpdateBody): Record<string, unknown> {
  const { retrieval_model, partial_member_list, ...plain } = body
  const members = partial_member_list?.map((member) => (typeof member === 'string' ? member : member.user_id))
  const permission = body.permission ?? row.permission
  if (permission === 'partial_members' && (members ?? row.partial_members).length === 0)
    throw toInvalidParamError('partial_member_list is required when permission is partial_members')
  const changes: Record<string, unknown> = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  )
  if (retrieval_model)
    changes['retrieval_model'] = JSON.stringify(parseRetrievalSettings(retrieval_model, row.retrieval_model))
  if (permission === 'partial_members') changes['partial_members'] = members ?? row.partial_members
  else if (body.permission) changes['partial_members'] = []
  if (body.indexing_technique === 'high_quality') changes['embedding_pending'] = true
  return changes
}
