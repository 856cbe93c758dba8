import type { Pool } from 'pg'
import type { sources } from '../../schema.ts'

/** A file for saving: the uploaded one, or the text of a document. */
export interface DocumentFile {
  name: string
  mime_type: string
  bytes: Buffer
}

type FileRow = Pick<typeof sources.$inferSelect, 'name' | 'mime_type' | 'extension' | 'bytes'> & { text: string | null }

/** Null for an id without a source. */
export async function findSourceFile(pool: Pool, source_id: string): Promise<DocumentFile | null> {
  const [file] = await readSourceFiles(pool, [source_id])
  return file ?? null
}

/** The files of sources, in the order of their ids; unknown ids are skipped. */
export async function readSourceFiles(pool: Pool, source_ids: readonly string[]): Promise<DocumentFile[]> {
  const { rows } = await pool.query<FileRow & { id: string }>(
    `SELECT s.id, s.name, s.mime_type, s.extension, s.bytes, CASE WHEN s.bytes IS NULL THEN s.text END AS text
       FROM platform.sources s JOIN platform.documents d ON d.source_id = s.id
      WHERE s.id = ANY($1::uuid[]) AND d.removed_at IS NULL`,
    [source_ids],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return source_ids.flatMap((id) => {
    const row = byId.get(id.toLowerCase())
    return row ? [toFile(row)] : []
  })
}

/** A document without a stored file is saved as text, with a matching name. */
function toFile({ name, mime_type, text, bytes }: FileRow): DocumentFile {
  if (bytes) return { name, mime_type, bytes }
  return {
    name: /\.(txt|md|markdown)$/i.test(name) ? name : `${name}.txt`,
    mime_type: 'text/plain',
    bytes: Buffer.from(text ?? ''),
  }
}
