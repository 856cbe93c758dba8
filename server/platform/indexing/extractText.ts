import { hasText } from '#domain/chunking/cleanText.ts'
import { type DocumentText, ReadingLosses } from '#domain/documentReading/readingLoss.ts'
import { sanitizeText } from '../sanitizeInput.ts'
import { toInvalidParamError, PlatformError } from '../platformErrors.ts'
import { readDocxText } from './docxText.ts'
import { getExtension } from './fileExtension.ts'
import { readHtmlText } from './htmlText.ts'
import { readPdfText } from './pdfText.ts'
import type { ExtractionRequest } from './workerPool.ts'

type TextReader = (bytes: Uint8Array, losses: ReadingLosses) => string | Promise<string>

const TEXT_READERS: Record<string, TextReader> = {
  txt: readPlainText,
  md: readPlainText,
  markdown: readPlainText,
  mdx: readPlainText,
  csv: readPlainText,
  html: (bytes) => readHtmlText(readPlainText(bytes)),
  htm: (bytes) => readHtmlText(readPlainText(bytes)),
  pdf: readPdfText,
  docx: readDocxText,
}

const FILE_SIGNATURES: Record<string, string> = { pdf: '%PDF-', docx: 'PK\x03\x04' }
const LEGACY_OFFICE_SIGNATURE = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'

/**
 * The text of a file and what of it was lost. The extension of its name determines the type, and its magic bytes must match.
 * @throws PlatformError 415 for an unsupported type or a mismatch, 400 for a file without readable text.
 */
export async function extractText({ name, bytes }: ExtractionRequest): Promise<DocumentText> {
  const extension = getExtension(name)
  const read = TEXT_READERS[extension]
  if (!read) {
    const kinds = Object.keys(TEXT_READERS).join(', ')
    throw toUnsupportedError(
      `${extension ? `Files of this kind (.${extension}) are not read` : `The file name "${name}" has no extension`}; these kinds are read: ${kinds}.`,
    )
  }
  if (bytes.length === 0) throw toInvalidParamError('The file is empty.')
  requireFileType(extension, bytes)
  const losses = new ReadingLosses()
  const text = sanitizeText(await read(bytes, losses))
  if (!hasText(text)) throw toInvalidParamError(toEmptyMessage(extension))
  return { text, losses: losses.list }
}

function requireFileType(extension: string, bytes: Uint8Array): void {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (extension === 'docx' && head.startsWith(LEGACY_OFFICE_SIGNATURE))
    throw toInvalidParamError(
      'The file is encrypted, or of an older kind of Word; save it as .docx without a password.',
    )
  const signature = FILE_SIGNATURES[extension]
  // A PDF may have a few bytes before its header; every reader accepts that.
  if (signature && !(extension === 'pdf' ? head.includes(signature) : head.startsWith(signature)))
    throw toUnsupportedError(`The file is named .${extension} but is not one.`)
  const isBinary =
    !signature && [...Object.values(FILE_SIGNATURES), LEGACY_OFFICE_SIGNATURE].some((other) => head.startsWith(other))
  if (isBinary) throw toUnsupportedError(`The file is named .${extension} but is not text.`)
}

/** UTF-8, or UTF-16 with a byte order mark. */
function readPlainText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  if (encoding === 'utf-8' && bytes.includes(0)) throw toUnsupportedError('The file is named as text but is not text.')
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw toInvalidParamError('The file is not text in UTF-8.')
  }
}

const toEmptyMessage = (extension: string): string =>
  extension === 'pdf' ? 'The PDF has no text; it may be a scan.' : 'The file has no text.'

const toUnsupportedError = (message: string): PlatformError => new PlatformError(415, 'unsupported_file_type', message)
