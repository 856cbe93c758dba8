import { htmlToText, type HtmlNode } from '#domain/chunking/htmlText.ts'
import { type PdfLine, pdfToText, toPdfLines } from '#domain/chunking/pdfText.ts'
import { checkZip, ZipError } from '#domain/chunking/zipArchive.ts'
import { MAX_ARCHIVE_FILES, MAX_LAB_FILE_BYTES, MAX_UNPACKED_BYTES } from './labFileLimits.ts'

/** Why a file is not read. */
export const UNREADABLE_REASONS = ['kind', 'large', 'unpacked', 'encoding', 'damaged', 'noWords'] as const
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number]
class UnreadableError extends Error {
  readonly reason: UnreadableReason
  constructor(why: UnreadableReason) {
    super(why)
    this.reason = why
  }
}

/** What the lab reads; each reader is loaded when a file of its kind is dropped. */
export async function readFileText(file: File): Promise<{ text: string } | { unread: UnreadableReason }> {
  const read = READERS_BY_EXTENSION[getExtension(file.name)]
  if (!read) return { unread: 'kind' }
  if (file.size > MAX_LAB_FILE_BYTES) return { unread: 'large' }
  const bytes = await file.arrayBuffer()
  try {
    const text = await read(bytes)
    return text.trim() === '' ? { unread: 'noWords' } : { text }
  } catch (error) {
    // A reader from outside says what it found in words of its own, which tell a person less than this.
    return { unread: error instanceof UnreadableError ? error.reason : 'damaged' }
  }
}

const getExtension = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

const READERS_BY_EXTENSION: Record<string, (bytes: ArrayBuffer) => string | Promise<string>> = {
  txt: decodeUtf8,
  md: decodeUtf8,
  html: async (bytes) => readHtml(decodeUtf8(bytes)),
  csv: async (bytes) => csvToText(decodeUtf8(bytes)),
  pdf: readPdf,
  docx: readDocx,
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableError('encoding')
  }
}

async function readHtml(html: string): Promise<string> {
  const { parse } = await import('parse5')
  return htmlToText(parse(html) as HtmlNode)
}

/** Each row as a line that can be read alone. */
async function csvToText(csv: string): Promise<string> {
  const { readStoredTables, toReadableLines } = await import('#domain/tables/tableText.ts')
  return readStoredTables(csv, 'csv').map(toReadableLines).join('\n')
}

/** As the built-in platform reads it. */
async function readPdf(bytes: ArrayBuffer): Promise<string> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: 0,
  })
  const pages: PdfLine[][] = []
  let charsLeft = MAX_UNPACKED_BYTES
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const lines = toPdfLines(items.flatMap((item) => ('str' in item ? [item] : [])))
    pages.push(lines)
    page.cleanup()
    charsLeft -= lines.reduce((sum, { text }) => sum + text.length, 0)
    if (charsLeft < 0) throw new UnreadableError('unpacked')
  }
  return pdfToText(pages)
}

async function readDocx(bytes: ArrayBuffer): Promise<string> {
  const limits = { maxUnpackedBytes: MAX_UNPACKED_BYTES, maxFiles: MAX_ARCHIVE_FILES }
  await checkZip(new Uint8Array(bytes), limits).catch((error: unknown) => {
    throw new UnreadableError(error instanceof ZipError && error.problem === 'tooLarge' ? 'unpacked' : 'damaged')
  })
  const { default: mammoth } = await import('mammoth')
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ arrayBuffer: bytes }, { convertImage })
  return readHtml(value)
}
