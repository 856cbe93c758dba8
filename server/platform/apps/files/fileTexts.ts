import { eq, inArray, sql } from 'drizzle-orm'
import type { PlatformContext } from '../../platformContext.ts'
import type { ModelMessage } from '../../model/model.ts'
import { NodeError } from '../../workflow/nodeScope.ts'
import type { RecordedFile } from './fileRecord.ts'
import { uploadedFiles as uploads } from '../schema.ts'

/** Contents of a message's files: the text of documents, the bytes of images. */
export interface ReadFiles {
  texts: { name: string; text: string }[]
  images: NonNullable<ModelMessage['images']>
}

/** Maximum characters of a file that are used for an answer; the rest is ignored. */
const MAX_TEXT_CHARS = 50_000

/** Reads the uploaded files of a message. Remote ones have no content here: they are recorded and never fetched. */
export async function readFiles(context: PlatformContext, recorded: readonly RecordedFile[]): Promise<ReadFiles> {
  const ids = recorded.flatMap(({ upload_file_id }) => upload_file_id ?? [])
  const fileContents: ReadFiles = { texts: [], images: [] }
  if (ids.length === 0) return fileContents
  const { name, mime_type, text } = uploads
  // The bytes of a document are not needed, and may be many.
  const bytes = sql<Buffer | null>`CASE WHEN ${uploads.text} IS NULL THEN ${uploads.bytes} END`
  const rows = await context.database.db
    .select({ name, mime_type, text, bytes })
    .from(uploads)
    .where(inArray(uploads.id, ids))
  for (const row of rows) {
    if (row.text !== null)
      fileContents.texts.push({ name: row.name, text: row.text.slice(0, MAX_TEXT_CHARS).toWellFormed() })
    else if (row.bytes) fileContents.images.push({ data: row.bytes, media_type: row.mime_type })
  }
  return fileContents
}

/** The complete text of a workflow's file. @throws NodeError with the reason if there is none */
export async function readFileText(context: PlatformContext, file: RecordedFile): Promise<string> {
  if (!file.upload_file_id)
    throw new NodeError(`${file.url} is a remote file; this platform records those and does not fetch them.`)
  const [row] = await context.database.db
    .select({ text: uploads.text })
    .from(uploads)
    .where(eq(uploads.id, file.upload_file_id))
  if (!row) throw new NodeError(`${file.filename} is no longer there.`)
  if (row.text === null) throw new NodeError(`${file.filename} is an image, which holds no text to read.`)
  return row.text
}
