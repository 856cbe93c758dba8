import { hasText } from '../chunking/cleanText.ts'
import { decodeText, type TextEncoding } from '../text/decodeText.ts'
import { DOCUMENT_KINDS, type DocumentKind, getExtension } from './documentKinds.ts'
import type { LoadCMap } from './pdfDocument.ts'
import { type DocumentText, ReadingLosses } from './readingLoss.ts'
import { UnreadableFileError } from './unreadableFile.ts'

/** Losses are added to the list. */
type BytesReader = (bytes: Uint8Array<ArrayBuffer>, losses: ReadingLosses, loadCMap: LoadCMap) => Promise<string>
type TextReader = (text: string, losses: ReadingLosses) => Promise<string>

/** Readers of files with a signature, loaded with the first of their kind. */
const BYTES_READERS: Partial<Record<DocumentKind, { signature: string; read: BytesReader }>> = {
  pdf: { signature: '%PDF-', read: async (...file) => (await import('./pdfDocument.ts')).readPdf(...file) },
  docx: {
    signature: 'PK\x03\x04',
    read: async (bytes, losses) => (await import('./wordDocument.ts')).readWord(bytes, losses),
  },
  xlsx: {
    signature: 'PK\x03\x04',
    read: async (bytes, losses) => (await import('../tables/tableDocument.ts')).readWorkbookText(bytes, losses),
  },
}
const LEGACY_OFFICE_SIGNATURE = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'

const readHtml: TextReader = async (...page) => (await import('./htmlDocument.ts')).readHtml(...page)
/** Other texts are read unchanged. */
const readTable: TextReader = async (...table) => (await import('../tables/tableDocument.ts')).readTableText(...table)
const TEXT_READERS: Partial<Record<DocumentKind, TextReader>> = {
  html: readHtml,
  htm: readHtml,
  csv: readTable,
  tsv: readTable,
}

/**
 * The text of a file and its losses. The extension determines the kind, and the first bytes must match. Tables are
 * CSV, which `readStoredTables` reads.
 * @throws UnreadableFileError
 */
export async function readDocument(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  loadCMap: LoadCMap,
  encoding: TextEncoding | null = null,
): Promise<DocumentText> {
  const extension = getExtension(name)
  const kind = DOCUMENT_KINDS.find((one) => one === extension)
  if (!kind) {
    const reason = extension
      ? `Files of this kind (.${extension}) are not read`
      : `The file name "${name}" has no extension`
    throw new UnreadableFileError('unsupported', `${reason}; these kinds are read: ${DOCUMENT_KINDS.join(', ')}.`)
  }
  if (bytes.length === 0) throw new UnreadableFileError('faulty', 'The file is empty.')
  requireSignature(kind, bytes)
  const losses = new ReadingLosses()
  const document: DocumentText = { text: '', losses: losses.list }
  if (BYTES_READERS[kind]) document.text = await BYTES_READERS[kind].read(bytes, losses, loadCMap)
  else {
    const read = TEXT_READERS[kind]
    const decoded = await decodeText(bytes, { encoding, isMarkup: read === readHtml })
    losses.add('unreadable_character', undefined, decoded.unreadable)
    document.text = read ? await read(decoded.text, losses) : decoded.text
    document.encoding = decoded.encoding
  }
  if (!hasText(document.text)) throw new UnreadableFileError('faulty', 'The file has no text.')
  return document
}

function requireSignature(kind: DocumentKind, bytes: Uint8Array): void {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  if ((kind === 'docx' || kind === 'xlsx') && head.startsWith(LEGACY_OFFICE_SIGNATURE))
    throw new UnreadableFileError(
      'faulty',
      `The file is encrypted, or has an older Office format; save it as .${kind} without a password.`,
    )
  const signature = BYTES_READERS[kind]?.signature
  // A PDF may have a few bytes before its header; every reader accepts that.
  if (signature && !(kind === 'pdf' ? head.includes(signature) : head.startsWith(signature)))
    throw new UnreadableFileError('unsupported', `The file is named .${kind} but is not one.`)
  const others = [...Object.values(BYTES_READERS).map((reader) => reader.signature), LEGACY_OFFICE_SIGNATURE]
  if (!signature && others.some((other) => head.startsWith(other)))
    throw new UnreadableFileError('unsupported', `The file is named .${kind} but is not text.`)
}
