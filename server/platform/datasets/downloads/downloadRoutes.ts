import type { FastifyInstance } from 'fastify'
import JSZip from 'jszip'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { toSamenessKey } from '#domain/samenessKey.ts'
import { PlatformError, toNotFoundError } from '../../platformErrors.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { requireDataset } from '../datasetRecord.ts'
import { requireDocument } from '../documentRecord.ts'
import type { KnowledgeContext } from '../knowledgeContext.ts'
import { readSourceFiles, type DocumentFile } from './documentFile.ts'

const BYTES_PER_MB = 1024 * 1024
/** An archive is built in memory. Clients of this platform accept replies of at most 64 MiB. */
const MAX_ARCHIVE_BYTES = 60 * BYTES_PER_MB

export function registerDownloadRoutes(app: FastifyInstance, { database, fileLinks }: KnowledgeContext): void {
  const { pool } = database

  registerPlatformEndpoint(app, optionalEndpoints.downloadDocument, async ({ params, request }) => {
    const { id } = await requireDataset(pool, params.dataset_id)
    const { source_id } = await requireDocument(pool, id, params.document_id)
    return { url: `${fileLinks.create(request, source_id)}&as_attachment=true` }
  })

  registerPlatformEndpoint(app, optionalEndpoints.downloadDocuments, async ({ params, body, reply }) => {
    const { id } = await requireDataset(pool, params.dataset_id)
    const document_ids = [...new Set(body.document_ids)]
    const { rows } = await pool.query<{ source_id: string; size: number }>(
      `SELECT s.id AS source_id, coalesce(octet_length(s.bytes), octet_length(s.text)) AS size
         FROM unnest($1::uuid[]) WITH ORDINALITY AS asked(id, position)
         JOIN platform.documents d ON d.id = asked.id AND d.dataset_id = $2 AND d.removed_at IS NULL
         JOIN platform.sources s ON s.id = d.source_id ORDER BY asked.position`,
      [document_ids, id],
    )
    if (rows.length !== document_ids.length) throw toNotFoundError('Document')
    const totalBytes = rows.reduce((sum, { size }) => sum + size, 0)
    if (totalBytes > MAX_ARCHIVE_BYTES)
      throw new PlatformError(
        413,
        'file_too_large',
        `The files are larger than ${MAX_ARCHIVE_BYTES / BYTES_PER_MB} MB together.`,
      )
    const files = await readSourceFiles(
      pool,
      rows.map(({ source_id }) => source_id),
    )
    return reply
      .type('application/zip')
      .header('content-disposition', 'attachment; filename="documents.zip"')
      .send(await buildArchive(files))
  })
}

/** Without compression: it would keep the server busy, and most files are compressed already. */
async function buildArchive(files: readonly DocumentFile[]): Promise<Buffer> {
  const archive = new JSZip()
  const names = new Set<string>()
  for (const { name, bytes } of files) archive.file(toUniqueName(name, names), bytes)
  return archive.generateAsync({ type: 'nodebuffer', compression: 'STORE' })
}

/** A unique name in the archive that stays within its folder. */
function toUniqueName(name: string, names: Set<string>): string {
  const plain = name.replaceAll(/[/\\\p{Cc}]/gu, '_').replace(/^\.+$/, '_')
  const [, stem = plain, extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(plain) ?? []
  // Some file systems ignore case and Unicode form in names.
  const toKey = (one: string) => toSamenessKey(one).toLowerCase()
  let unique = plain
  for (let count = 2; names.has(toKey(unique)); count++) unique = `${stem} (${count})${extension}`
  names.add(toKey(unique))
  return unique
}
