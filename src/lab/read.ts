import { textOfPage, type PageNode } from '#contract/cutting/page.ts'
import { unpackedSize } from './unpacked.ts'
import { MOST_BYTES, MOST_UNPACKED } from './limits.ts'

/** Why a file is not read. */
export const UNREAD = ['kind', 'large', 'unpacked', 'encoding', 'damaged', 'noWords'] as const
export type Unread = (typeof UNREAD)[number]
class UnreadError extends Error {
  readonly why: Unread
  constructor(why: Unread) {
    super(why)
    this.why = why
  }
}

/** What the lab reads; each reader is loaded when a file of its kind is dropped. */
export async function textOfFile(file: File): Promise<{ text: string } | { unread: Unread }> {
  const read = READERS[extensionOf(file.name)]
  if (!read) return { unread: 'kind' }
  if (file.size > MOST_BYTES) return { unread: 'large' }
  const bytes = await file.arrayBuffer()
  try {
    const text = await read(bytes)
    return text.trim() === '' ? { unread: 'noWords' } : { text }
  } catch (error) {
    // A reader from outside says what it found in words of its own, which tell a person less than this.
    return { unread: error instanceof UnreadError ? error.why : 'damaged' }
  }
}

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

const READERS: Record<string, (bytes: ArrayBuffer) => string | Promise<string>> = {
  txt: plain,
  md: plain,
  html: async (bytes) => pageText(plain(bytes)),
  csv: async (bytes) => rowsOf(plain(bytes)),
  pdf: pdfText,
  docx: docxText,
}

function plain(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadError('encoding')
  }
}

async function pageText(html: string): Promise<string> {
  const { parse } = await import('parse5')
  return textOfPage(parse(html) as PageNode)
}

/** Each row as a line that can be read alone: every value behind the name of its column. */
async function rowsOf(csv: string): Promise<string> {
  const { default: papaparse } = await import('papaparse')
  const [heading = [], ...rows] = papaparse.parse<string[]>(csv, { skipEmptyLines: 'greedy' }).data
  if (rows.length === 0) return heading.join('; ')
  return rows
    .map((row) => row.map((value, index) => (heading[index] ? `${heading[index]}: ${value}` : value)).join('; '))
    .join('\n')
}

/** Pages apart by a blank line. */
async function pdfText(bytes: ArrayBuffer): Promise<string> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: 0,
  })
  const pages: string[] = []
  let room = MOST_UNPACKED
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''))
    page.cleanup()
    room -= pages.at(-1)?.length ?? 0
    if (room < 0) throw new UnreadError('unpacked')
  }
  return pages.map((page) => page.trim()).join('\n\n')
}

async function docxText(bytes: ArrayBuffer): Promise<string> {
  const size = await unpackedSize(bytes, MOST_UNPACKED)
  if (size === null) throw new UnreadError('damaged')
  if (size > MOST_UNPACKED) throw new UnreadError('unpacked')
  const { default: mammoth } = await import('mammoth')
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ arrayBuffer: bytes }, { convertImage })
  return pageText(value)
}
