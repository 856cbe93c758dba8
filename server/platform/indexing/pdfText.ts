import { getDocumentProxy } from 'unpdf'
import { type PdfLine, pdfToText, toPdfLines } from '#domain/chunking/pdfText.ts'
import { toInvalidParamError } from '../platformErrors.ts'

/** The text of a PDF in Markdown, with a blank line between pages. */
export async function readPdfText(bytes: Uint8Array): Promise<string> {
  const pdf = await openPdf(bytes)
  const pages: PdfLine[][] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(toPdfLines(items.flatMap((item) => ('str' in item ? [item] : []))))
    page.cleanup()
  }
  return pdfToText(pages)
}

async function openPdf(bytes: Uint8Array) {
  try {
    // A copy: the reader takes ownership of the bytes.
    return await getDocumentProxy(new Uint8Array(bytes), {
      isEvalSupported: false,
      useSystemFonts: false,
      verbosity: 0,
    })
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException') throw toInvalidParamError('The PDF is encrypted; save it without a password.')
    throw toInvalidParamError('The PDF is damaged and cannot be read.')
  }
}
