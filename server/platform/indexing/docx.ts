import mammoth from 'mammoth'
import { invalidParam, PlatformError } from '../errors.ts'
import { htmlText } from './html.ts'
import { demandSmallZip } from './zip.ts'

/** The text of a Word document. Its images are not looked at. */
export async function docxText(bytes: Uint8Array): Promise<string> {
  const names = demandSmallZip(bytes)
  if (!names.includes('word/document.xml'))
    throw new PlatformError(415, 'unsupported_file_type', 'The file is named .docx but is not a Word document.')
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage })
    return htmlText(value)
  } catch {
    throw invalidParam('The Word document is damaged and cannot be read.')
  }
}
