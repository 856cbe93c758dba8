import { OWNER_ID } from '../platformContext.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'

export type StatusAction = 'enable' | 'disable' | 'archive' | 'un_archive'

const STATUS_CHANGES_SQL: Record<StatusAction, string> = {
  enable: 'enabled = true, disabled_at = NULL, disabled_by = NULL',
  disable: 'enabled = false, disabled_at = $3, disabled_by = $4',
  archive: 'archived = true',
  un_archive: 'archived = false',
}

/** Documents that already have the state, and ids that the dataset does not have, are skipped. */
const STATUS_CONDITIONS_SQL: Record<StatusAction, string> = {
  enable: 'NOT enabled',
  disable: 'enabled',
  archive: 'NOT archived',
  un_archive: 'archived',
}

/** @throws PlatformError 400 if one of the documents is not indexed yet; then none is changed. */
export async function setDocumentStatus(
  { database, clock }: KnowledgeContext,
  dataset_id: string,
  document_ids: readonly string[],
  action: StatusAction,
): Promise<void> {
  await database.transaction(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM platform.documents
        WHERE id = ANY($1::uuid[]) AND dataset_id = $2 AND removed_at IS NULL AND indexing_status <> 'completed' LIMIT 1`,
      [document_ids, dataset_id],
    )
    if (rows[0]) throw toInvalidParamError(`The document ${rows[0].name} is not indexed.`)
    await client.query(
      `UPDATE platform.documents SET updated_at = $3, ${STATUS_CHANGES_SQL[action]}
        WHERE id = ANY($1::uuid[]) AND dataset_id = $2 AND removed_at IS NULL AND ${STATUS_CONDITIONS_SQL[action]}
          AND $4::uuid IS NOT NULL`,
      [document_ids, dataset_id, new Date(clock()), OWNER_ID],
    )
  })
}
