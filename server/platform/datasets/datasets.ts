import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { contract } from '#contract/index.ts'
import { OWNER, type PlatformContext } from '../context.ts'
import { invalidParam, PlatformError } from '../errors.ts'
import { route } from '../route.ts'
import { readSettings } from '../retrieval/settings.ts'
import { DATASET_COLUMNS, demandDataset, toDataset, type DatasetRow } from './dataset-record.ts'
import type { Knowledge } from './knowledge.ts'
import { contains, pageOf } from './list.ts'

/** Operations 1 and 2; list, read, delete. */
export function datasets(app: FastifyInstance, context: Knowledge): void {
  const { database, model, clock, queue, keys } = context
  const { pool } = database
  /** Every chat and workflow application may search every dataset. */
  const app_count = keys.filter(({ kind }) => kind === 'chat' || kind === 'workflow').length
  const answer = (row: DatasetRow) => toDataset(row, model, app_count)

  route(app, contract.datasets.create, async ({ body }) => {
    const id = randomUUID()
    await createDataset(context, id, body)
    return answer(await demandDataset(pool, id))
  })

  route(app, contract.datasets.update, async ({ params, body }) => {
    const row = await demandDataset(pool, params.dataset_id)
    const changes = changesOf(row, body)
    const names = Object.keys(changes)
    const settings = names.map((name, index) => `, ${name} = $${index + 4}`).join('')
    await pool
      .query(`UPDATE platform.datasets SET updated_at = $2, updated_by = $3${settings} WHERE id = $1`, [
        row.id,
        new Date(clock()),
        OWNER,
        ...Object.values(changes),
      ])
      .catch((error: unknown) => {
        // Only creating has a code of its own for this, as upstream.
        throw isDuplicate(error) ? invalidParam(`name is taken: there is a dataset named ${body.name ?? ''}`) : error
      })
    if ('embedding_pending' in changes) queue.wake()
    const updated = await demandDataset(pool, row.id)
    return { ...answer(updated), partial_member_list: updated.partial_members }
  })

  route(app, adjacent.listDatasets, async ({ query }) => {
    const where = `WHERE t.removed_at IS NULL AND t.name ILIKE $1`
    const { rows } = await pool.query<DatasetRow>(
      `SELECT ${DATASET_COLUMNS} ${where} ORDER BY t.created_at DESC, t.id LIMIT $2 OFFSET $3`,
      [contains(query.keyword), query.limit, (query.page - 1) * query.limit],
    )
    const total = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.datasets t ${where}`,
      [contains(query.keyword)],
    )
    return pageOf(rows.map(answer), total.rows[0]?.total ?? 0, query)
  })

  route(app, adjacent.readDataset, async ({ params }) => answer(await demandDataset(pool, params.dataset_id)))

  route(app, adjacent.deleteDataset, async ({ params }) => {
    const row = await demandDataset(pool, params.dataset_id)
    await database.transaction(async (client) => {
      const now = new Date(clock())
      await client.query('UPDATE platform.datasets SET removed_at = $2 WHERE id = $1', [row.id, now])
      await client.query('UPDATE platform.documents SET removed_at = $2 WHERE dataset_id = $1', [row.id, now])
    })
    queue.wake()
  })
}

type Create = NonNullable<typeof contract.datasets.create.body>['_zod']['output']
type Update = NonNullable<typeof contract.datasets.update.body>['_zod']['output']

/** @throws PlatformError 409 `dataset_name_duplicate`; 400 for an external dataset that does not say where it is. */
export async function createDataset({ database, clock }: PlatformContext, id: string, body: Create): Promise<void> {
  const provider = body.provider ?? 'vendor'
  if (provider === 'external')
    for (const field of ['external_knowledge_api_id', 'external_knowledge_id'] as const)
      if (!body[field]) throw invalidParam(`${field} is required when provider is external`)
  const now = new Date(clock())
  await database.pool
    .query(
      `INSERT INTO platform.datasets (id, name, description, provider, permission, indexing_technique, embedding_model,
              embedding_model_provider, retrieval_model, external_knowledge_api_id, external_knowledge_id,
              partial_members, created_by, created_at, updated_by, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '{}', $12, $13, $12, $13)`,
      [
        id,
        body.name,
        body.description ?? '',
        provider,
        body.permission ?? 'only_me',
        body.indexing_technique ?? null,
        body.embedding_model ?? null,
        body.embedding_model_provider ?? null,
        JSON.stringify(readSettings(body.retrieval_model)),
        body.external_knowledge_api_id ?? null,
        body.external_knowledge_id ?? null,
        OWNER,
        now,
      ],
    )
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error
      throw new PlatformError(409, 'dataset_name_duplicate', `There is a dataset named ${body.name} already.`)
    })
}

/** The columns that an update sets: of the body, only what is present. */
function changesOf(row: DatasetRow, body: Update): Record<string, unknown> {
  const { retrieval_model, partial_member_list, ...plain } = body
  const members = partial_member_list?.map((member) => (typeof member === 'string' ? member : member.user_id))
  const permission = body.permission ?? row.permission
  if (permission === 'partial_members' && (members ?? row.partial_members).length === 0)
    throw invalidParam('partial_member_list is required when permission is partial_members')
  const changes: Record<string, unknown> = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  )
  if (retrieval_model) changes['retrieval_model'] = JSON.stringify(readSettings(retrieval_model, row.retrieval_model))
  if (permission === 'partial_members') changes['partial_members'] = members ?? row.partial_members
  else if (body.permission) changes['partial_members'] = []
  if (body.indexing_technique === 'high_quality') changes['embedding_pending'] = true
  return changes
}

const isDuplicate = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'
