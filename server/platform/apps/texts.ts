import { inArray } from 'drizzle-orm'
import type { PlatformContext } from '../context.ts'
import type { ModelMessage } from '../model/model.ts'
import type { RecordedFile } from './files.ts'
import { files as uploads } from './schema.ts'

/** What the files of a message give to an answer: the text of documents, the bytes of images. */
export interface ReadFiles {
  texts: { name: string; text: string }[]
  images: NonNullable<ModelMessage['images']>
}

/** Reads the uploaded files of a run. Remote ones give nothing: they are recorded and never fetched. */
export async function readFiles(context: PlatformContext, recorded: readonly RecordedFile[]): Promise<ReadFiles> {
  const ids = recorded.flatMap(({ upload_file_id }) => upload_file_id ?? [])
  if (ids.length === 0) return { texts: [], images: [] }
  const rows = await context.database.db.select().from(uploads).where(inArray(uploads.id, ids))
  const read: ReadFiles = { texts: [], images: [] }
  for (const { name, mime_type, content } of rows) {
    if (mime_type.startsWith('image/')) read.images.push({ data: content, media_type: mime_type })
    else if (mime_type.startsWith('text/')) read.texts.push({ name, text: content.toString('utf8') })
  }
  return read
}
