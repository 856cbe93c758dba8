import { cleanText } from '../clean.ts'
import { invalidParam, PlatformError } from '../errors.ts'
import { docxText } from './docx.ts'
import { extensionOf } from './extension.ts'
import { htmlText } from './html.ts'
import { pdfText } from './pdf.ts'
import type { Extraction } from './workshop.ts'

type Reader = (bytes: Uint8Array) => string | Promise<string>

const READERS: Record<string, Reader> = {
  txt: plainText,
  md: plainText,
  markdown: plainText,
  mdx: plainText,
  csv: plainText,
  html: (bytes) => htmlText(plainText(bytes)),
  htm: (bytes) => htmlText(plainText(bytes)),
  pdf: pdfText,
  docx: docxText,
}

const MAGIC: Record<string, string> = { pdf: '%PDF-', docx: 'PK\x03\x04' }
const LEGACY_OFFICE = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'

/**
 * The text of a file. Its name's extension says what it should be, its first bytes must agree.
 * @throws PlatformError 415 for a kind that is not read or is not what it says, 400 for one that has no text to read.
 */
export async function extract({ name, bytes }: Extraction): Promise<string> {
  const extension = extensionOf(name)
  const read = READERS[extension]
  if (!read) {
    const kinds = Object.keys(READERS).join(', ')
    throw unsupported(`Files of this kind (.${extension || 'none'}) are not read; these are: ${kinds}.`)
  }
  if (bytes.length === 0) throw invalidParam('The file is empty.')
  demandKind(extension, bytes)
  const text = cleanText(await read(bytes))
  if (text.trim() === '') throw invalidParam(emptiness(extension))
  return text
}

function demandKind(extension: string, bytes: Uint8Array): void {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (extension === 'docx' && head.startsWith(LEGACY_OFFICE))
    throw invalidParam('The file is encrypted, or of an older kind of Word; save it as .docx without a password.')
  const magic = MAGIC[extension]
  // A PDF may have a few bytes of something else in front, and still be one to every reader.
  if (magic && !(extension === 'pdf' ? head.includes(magic) : head.startsWith(magic)))
    throw unsupported(`The file is named .${extension} but is not one.`)
  const lies = !magic && [...Object.values(MAGIC), LEGACY_OFFICE].some((other) => head.startsWith(other))
  if (lies) throw unsupported(`The file is named .${extension} but is not text.`)
}

/** UTF-8, or UTF-16 that says so. */
function plainText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  if (encoding === 'utf-8' && bytes.includes(0)) throw unsupported('The file is named as text but is not text.')
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw invalidParam('The file is not text in UTF-8.')
  }
}

const emptiness = (extension: string): string =>
  extension === 'pdf' ? 'The PDF has no text; it may be a scan.' : 'The file has no text.'

const unsupported = (message: string): PlatformError => new PlatformError(415, 'unsupported_file_type', message)
