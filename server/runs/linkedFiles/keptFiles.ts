import { createHash, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { type KeptFile, MAX_KEPT_FILES } from '#contract/console/files/linkedFile.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../../db/database.ts'
import { queryReplies } from '../../db/replyRows.ts'

/** Files saved with a run; they are deleted with it. */

const BYTES_PER_MEGABYTE = 1_000_000

const KEPT_FILE_SQL = `SELECT kept_files.id, url, kept_files.name, type, bytes, kept_at, people.name AS person
  FROM kept_files LEFT JOIN people ON people.id = kept_files.person_id`

export const listKeptFiles = (pool: Pool, run_id: string): Promise<KeptFile[]> =>
  queryReplies(pool, `${KEPT_FILE_SQL} WHERE run_id = $1 ORDER BY kept_at, kept_files.id`, [run_id])

/** @throws ProblemError 404 */
export async function readKeptBytes(pool: Pool, id: string): Promise<Buffer> {
  const { rows } = await pool.query<{ data: Buffer }>('SELECT data FROM kept_files WHERE id = $1', [id])
  return rows[0]?.data ?? throwNotFound('Saved file not found.')
}

export async function findKeptFile(pool: Pool, run_id: string, url: string): Promise<KeptFile | null> {
  const [file] = await queryReplies<KeptFile>(pool, `${KEPT_FILE_SQL} WHERE run_id = $1 AND url_hash = $2`, [
    run_id,
    hashUrl(url),
  ])
  return file ?? null
}

/**
 * Saves the bytes of a URL. If two people do so at once, the first one's stay.
 * @throws ProblemError 409 at a limit of the run or its workspace, 404 if the run was deleted
 */
export async function insertKeptFile(
  database: Database,
  run_id: string,
  file: { url: string; name: string; type: string; data: Buffer; person_id: string | null },
): Promise<KeptFile> {
  await database.transaction(async (client) => {
    // The lock prevents two people from saving the last allowed file at once, and the deletion of the run meanwhile.
    const run = await client.query<{ workspace_id: string }>(
      'SELECT workspace_id FROM calls WHERE id = $1 FOR UPDATE',
      [run_id],
    )
    if (!run.rows[0]) throwNotFound('The run was not found.')
    await requireSpace(client, run.rows[0].workspace_id, file.data.length)
    const { rows } = await client.query<{ files: number }>(
      'SELECT count(*)::int AS files FROM kept_files WHERE run_id = $1',
      [run_id],
    )
    if ((rows[0]?.files ?? 0) >= MAX_KEPT_FILES)
      throw new ProblemError({
        kind: 'invalid',
        status: 409,
        message: `A run has at most ${MAX_KEPT_FILES} saved files. Remove one first.`,
      })
    await client.query(
      `INSERT INTO kept_files(id, run_id, url_hash, url, name, type, bytes, data, kept_at, person_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (run_id, url_hash) DO NOTHING`,
      [
        randomUUID(),
        run_id,
        hashUrl(file.url),
        file.url,
        file.name,
        file.type,
        file.data.length,
        file.data,
        new Date(),
        file.person_id,
      ],
    )
  })
  return (await findKeptFile(database.pool, run_id, file.url)) ?? throwNotFound('The run has been deleted.')
}

/**
 * Locks the limit of a workspace, so that files that are saved at once do not exceed it together.
 * @throws ProblemError 409
 */
async function requireSpace(client: PoolClient, workspace_id: string, bytes: number): Promise<void> {
  await client.query('INSERT INTO retention(workspace_id) VALUES ($1) ON CONFLICT (workspace_id) DO NOTHING', [
    workspace_id,
  ])
  const { rows } = await client.query<{ limit: number }>(
    'SELECT keep_file_megabytes AS limit FROM retention WHERE workspace_id = $1 FOR UPDATE',
    [workspace_id],
  )
  const stored = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(kept_files.bytes), 0) AS bytes FROM kept_files JOIN calls ON calls.id = run_id
     WHERE calls.workspace_id = $1`,
    [workspace_id],
  )
  const limit = rows[0]?.limit ?? 0
  const storedBytes = Number(stored.rows[0]?.bytes)
  if (storedBytes + bytes <= limit * BYTES_PER_MEGABYTE) return
  const toMegabytes = (size: number) => (size / BYTES_PER_MEGABYTE).toFixed(1)
  throw new ProblemError({
    kind: 'invalid',
    status: 409,
    message: `Saved files of this workspace take ${toMegabytes(storedBytes)} of ${limit} MB, and this file has ${toMegabytes(bytes)} MB. Delete saved files, or ask an admin for a higher limit on the Retention page.`,
  })
}

/** @throws ProblemError 404 */
export async function deleteKeptFile(pool: Pool, run_id: string, file_id: string): Promise<void> {
  const { rowCount } = await pool.query('DELETE FROM kept_files WHERE run_id = $1 AND id = $2', [run_id, file_id])
  if (rowCount === 0) throwNotFound('Saved file not found.')
}

const hashUrl = (url: string): string => createHash('sha256').update(url).digest('hex')

function throwNotFound(message: string): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message })
}
