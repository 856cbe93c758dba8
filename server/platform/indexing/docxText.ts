import mammoth from 'mammoth'
import { toInvalidParamError, PlatformError } from '../platformErrors.ts'
import { readHtmlText } from './htmlText.ts'
import { requireSmallZip } from './zipLimits.ts'

/** The text of a Word document. Images are ignored. */
export async function readDocxText(bytes: Uint8Array): Promise<string> {
  const names = requireSmallZip(bytes)
  if (!names.includes('word/document.xml'))
    throw new PlatformError(415, 'unsupported_file_type', 'The file is named .docx but is not a Word document.')
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage })
    return readHtmlText(value)
  } catch {
    throw toInvalidParamError('The Word document is damaged and cannot be read.')
  }
}
