import { getExtension } from '#domain/documentReading/documentKinds.ts'
import { readDocument } from '#domain/documentReading/readDocument.ts'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import { UnreadableFileError } from '#domain/documentReading/unreadableFile.ts'
import { TABLE_KINDS } from '#domain/tables/columnNames.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import { MAX_LAB_FILE_BYTES } from './labWorkerMessages.ts'

/** Each as a module of its own, which is loaded for the first PDF that names it. */
const CMAP_MODULES = import.meta.glob<string>('/node_modules/pdf.js-extract/lib/cmaps/*.bcmap', {
  query: '?url&inline',
  import: 'default',
  exhaustive: true,
})

async function loadCMap(filename: string): Promise<Uint8Array> {
  const dataUrl = await CMAP_MODULES[`/node_modules/pdf.js-extract/lib/cmaps/${filename}`]?.()
  if (!dataUrl) throw new Error(`There is no CMap ${filename}.`)
  return Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (character) => character.charCodeAt(0))
}

/** The text of a file as the built-in platform reads it, each row of a table as a line, or why it is not read. */
export async function readFileText(
  file: File,
  encoding: TextEncoding | null,
): Promise<DocumentText | { unread: string }> {
  if (file.size > MAX_LAB_FILE_BYTES)
    return { unread: `The file has more than ${MAX_LAB_FILE_BYTES / 1024 / 1024} MB.` }
  try {
    const document = await readDocument(file.name, new Uint8Array(await file.arrayBuffer()), loadCMap, encoding)
    const extension = getExtension(file.name)
    return TABLE_KINDS.includes(extension)
      ? { ...document, text: await toReadableRows(document.text, extension) }
      : document
  } catch (error) {
    if (error instanceof UnreadableFileError) return { unread: error.message }
    throw error
  }
}

async function toReadableRows(text: string, extension: string): Promise<string> {
  const { readStoredTables, toReadableLines } = await import('#domain/tables/tableText.ts')
  return readStoredTables(text, extension).map(toReadableLines).join('\n')
}
