import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { PlatformError, toInvalidParamError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { requireDataset, requireDatasetDetails } from '../datasetRecord.ts'
import type { KnowledgeContext } from '../knowledgeContext.ts'
import { isDuplicate } from '../uniqueViolation.ts'

interface TagRow {
  id: string
  name: string
  count: number
}

/** A deleted dataset no longer counts, though its rows may still exist. */
const TAG_COLUMNS = `g.id, g.name, (
  SELECT count(*)::int4 FROM platform.tag_bindings b JOIN platform.datasets t ON t.id = b.dataset_id
   WHERE b.tag_id = g.id AND t.removed_at IS NULL) AS count
  FROM platform.dataset_tags g`

/** The count is a string, as upstream. */
const toTag = ({ id, name, count }: TagRow) => ({ id, name, type: 'knowledge', binding_count: String(count) })

export function registerTagRoutes(app: FastifyInstance, { database, clock }: KnowledgeContext): void {
  const { pool } = database
  const requireTag = async (id: string): Promise<TagRow> => {
    const { rows } = await pool.query<TagRow>(`SELECT ${TAG_COLUMNS} WHERE g.id = $1`, [id])
    if (!rows[0]) throw toTagNotFoundError()
    return rows[0]
  }

  registerPlatformEndpoint(app, optionalEndpoints.listTags, async () => {
    const { rows } = await pool.query<TagRow>(`SELECT ${TAG_COLUMNS} ORDER BY g.created_at DESC, g.id`)
    return rows.map(toTag)
  })

  registerPlatformEndpoint(app, optionalEndpoints.createTag, async ({ body }) => {
    const id = randomUUID()
    await pool
      .query('INSERT INTO platform.dataset_tags (id, name, created_at) VALUES ($1, $2, $3)', [
        id,
        body.name,
        new Date(clock()),
      ])
      .catch(refuseDuplicate)
    return toTag(await requireTag(id))
  })

  registerPlatformEndpoint(app, optionalEndpoints.updateTag, async ({ body }) => {
    await pool
      .query('UPDATE platform.dataset_tags SET name = $2 WHERE id = $1', [body.tag_id, body.name])
      .catch(refuseDuplicate)
    return toTag(await requireTag(body.tag_id))
  })

  registerPlatformEndpoint(app, optionalEndpoints.deleteTag, async ({ body }) => {
    const { rowCount } = await pool.query('DELETE FROM platform.dataset_tags WHERE id = $1', [body.tag_id])
    if (rowCount === 0) throw toTagNotFoundError()
  })

  registerPlatformEndpoint(app, optionalEndpoints.bindTags, async ({ body }) => {
    const { id } = await requireDataset(pool, body.target_id)
    const { rows } = await pool.query<{ known: number }>(
      'SELECT count(*)::int4 AS known FROM platform.dataset_tags WHERE id = ANY($1::uuid[])',
      [body.tag_ids],
    )
    if (rows[0]?.known !== new Set(body.tag_ids).size) throw toTagNotFoundError()
    await pool.query(
      `INSERT INTO platform.tag_bindings (dataset_id, tag_id)
       SELECT $1, id FROM platform.dataset_tags WHERE id = ANY($2::uuid[]) ON CONFLICT DO NOTHING`,
      [id, body.tag_ids],
    )
  })

  registerPlatformEndpoint(app, optionalEndpoints.unbindTags, async ({ body }) => {
    const { id } = await requireDataset(pool, body.target_id)
    await pool.query('DELETE FROM platform.tag_bindings WHERE dataset_id = $1 AND tag_id = ANY($2::uuid[])', [
      id,
      body.tag_ids ?? [body.tag_id],
    ])
  })

  registerPlatformEndpoint(app, optionalEndpoints.readDatasetTags, async ({ params }) => {
    const { tags } = await requireDatasetDetails(pool, params.dataset_id)
    return { data: tags.map(({ id, name }) => ({ id, name })), total: tags.length }
  })
}

const toTagNotFoundError = () => new PlatformError(404, 'not_found', 'Tag not found')

const refuseDuplicate = (error: unknown): never => {
  throw isDuplicate(error) ? toInvalidParamError('Tag name already exists') : error
}
