import { textOfPage, type PageNode } from '#contract/cutting/page.ts'

/** What the lab reads; each reader is loaded when a file of its kind is dropped. */
export async function textOfFile(file: File): Promise<string> {
  const read = READERS[extensionOf(file.name)]
  if (!read) throw new Error(`Files of this kind are not read. These are: ${READABLE.join(', ')}.`)
  const text = await read(await file.arrayBuffer())
  if (text.trim() === '') throw new Error('The file has no text.')
  return text
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
export const READABLE = Object.keys(READERS).map((extension) => `.${extension}`)

function plain(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('The file is not text in UTF-8.')
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
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''))
    page.cleanup()
  }
  return pages.map((page) => page.trim()).join('\n\n')
}

async function docxText(bytes: ArrayBuffer): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ arrayBuffer: bytes }, { convertImage })
  return pageText(value)
}
