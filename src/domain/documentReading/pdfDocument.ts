import { getDocumentProxy } from 'unpdf'
import { type PdfLine, pdfToText, toPdfLines } from './pdfText.ts'
import type { ReadingLosses } from './readingLoss.ts'
import { UnreadableFileError } from './unreadableFile.ts'

/** Loads a character map (CMap) that PDFs of Chinese, Japanese and Korean reference. */
export type LoadCMap = (filename: string) => Promise<Uint8Array>

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openPdf>>['getPage']>>

const MAX_CHARS = 100 * 1024 * 1024
/** Characters of fonts without a Unicode mapping: controls, and private use. */
const UNREADABLE_CHARACTERS = /[^\P{Cc}\t\n]|[\p{Co}\uFFFD]/gu

/** The text of a PDF in Markdown, with the values of its form and its notes. @throws UnreadableFileError */
export async function readPdf(bytes: Uint8Array, losses: ReadingLosses, loadCMap: LoadCMap): Promise<string> {
  const pdf = await openPdf(bytes, loadCMap)
  const pages: PdfLine[][] = []
  const [lost, read] = [{ pages: 0, characters: 0 }, { characters: 0 }]
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const lines = await readPage(page, (kind) => losses.add(kind, { unit: 'page', number }))
    page.cleanup()
    for (const { text } of lines) {
      const unreadable = text.match(UNREADABLE_CHARACTERS)?.length ?? 0
      losses.add('unreadable_character', { unit: 'page', number }, unreadable)
      lost.characters += unreadable
      read.characters += text.replace(/\s/g, '').length
    }
    if (read.characters > MAX_CHARS) throw new UnreadableFileError('tooLarge', 'The PDF has more than 100 MB of text.')
    if (lines.every(({ text }) => text.trim() === '')) {
      losses.add('page_without_text', { unit: 'page', number })
      lost.pages++
    }
    pages.push(lines)
  }
  if (lost.pages * 2 > pdf.numPages)
    throw new UnreadableFileError(
      'faulty',
      `${lost.pages} of ${pdf.numPages} pages of the PDF have no text; they may be scans. Recognize the text (OCR) and save the PDF again.`,
    )
  if (lost.characters * 2 > read.characters)
    throw new UnreadableFileError(
      'faulty',
      `The fonts of the PDF do not map to characters (${lost.characters} of ${read.characters}). Save it again with its text, or recognize the text (OCR).`,
    )
  return pdfToText(pages)
}

interface Annotation {
  subtype: string
  rect: [left: number, bottom: number, right: number, top: number]
  hidden?: boolean
  fieldType?: string
  fieldName?: string
  alternativeText?: string
  fieldValue?: string | string[] | null
  checkBox?: boolean
  radioButton?: boolean
  exportValue?: string
  buttonValue?: string
  contentsObj?: { str: string }
}

async function readPage(page: Page, addLoss: (kind: 'picture') => void): Promise<PdfLine[]> {
  const { items } = await page.getTextContent()
  const lines = toPdfLines(items.flatMap((item) => ('str' in item ? [item] : [])))
  for (const annotation of (await page.getAnnotations()) as Annotation[]) {
    if (annotation.hidden || annotation.subtype === 'Popup') continue
    const text = annotation.subtype === 'Widget' ? toFieldText(annotation) : (annotation.contentsObj?.str.trim() ?? '')
    if (text !== '') placeText(lines, text, annotation)
    else if (annotation.subtype === 'Stamp') addLoss('picture')
  }
  return lines
}

function toFieldText({ fieldType, fieldValue, ...field }: Annotation): string {
  if (fieldType !== 'Btn') return [fieldValue ?? ''].flat().join(', ').trim()
  const value = field.checkBox ? field.exportValue : field.radioButton ? field.buttonValue : undefined
  return value === undefined ? '' : fieldValue === value ? '☒' : '☐'
}

/** A value is placed in the line of its field; a note, or a value without a line, after the others. */
function placeText(lines: PdfLine[], text: string, annotation: Annotation): void {
  const [start, bottom, end, top] = annotation.rect
  const isField = annotation.subtype === 'Widget'
  const line = isField ? lines.find(({ y, cells }) => cells.length > 0 && y >= bottom - 2 && y < top) : undefined
  if (!line) {
    const name = isField ? annotation.alternativeText || annotation.fieldName : ''
    const alone = name ? `${name}: ${text}` : text
    lines.push({ text: alone, height: 0, y: bottom, cells: [{ text: alone, start, end }] })
  } else if (start < (line.cells[0]?.start ?? 0)) line.text = `${text} ${line.text}`
  else line.text = `${line.text.trimEnd()} ${text}`
}

async function openPdf(bytes: Uint8Array, loadCMap: LoadCMap) {
  class BinaryDataFactory {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      // Fonts are for drawing; text is read without them.
      return kind === 'cMapUrl' ? loadCMap(filename) : Promise.reject(new Error(`${filename} is not loaded.`))
    }
  }
  try {
    // A copy: the reader takes ownership of the bytes.
    return await getDocumentProxy(new Uint8Array(bytes), {
      useSystemFonts: false,
      useWorkerFetch: false,
      cMapPacked: true,
      BinaryDataFactory,
      verbosity: 0,
    })
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new UnreadableFileError(
      'faulty',
      isLocked ? 'The PDF is encrypted; save it without a password.' : 'The PDF is damaged and cannot be read.',
    )
  }
}
