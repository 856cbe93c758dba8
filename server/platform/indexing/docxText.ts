import mammoth from 'mammoth'
import { checkZip, ZipError, type ZipProblem } from '#domain/chunking/zipArchive.ts'
import { toInvalidParamError, PlatformError } from '../platformErrors.ts'
import { readHtmlText } from './htmlText.ts'

const ZIP_LIMITS = { maxUnpackedBytes: 100 * 1024 * 1024, maxFiles: 5000 }

/** The text of a Word document. Images are ignored. */
export async function readDocxText(bytes: Uint8Array): Promise<string> {
  const names = await checkZip(new Uint8Array(bytes), ZIP_LIMITS).catch((error: unknown) => {
    throw error instanceof ZipError ? toPlatformError(error.problem) : error
  })
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

function toPlatformError(problem: ZipProblem): PlatformError {
  if (problem === 'tooLarge')
    return new PlatformError(413, 'file_too_large', 'The file is too large when it is unpacked.')
  if (problem === 'encrypted') return toInvalidParamError('The file is encrypted; save it without a password.')
  if (problem === 'unsupported') return toInvalidParamError('The file is an archive of a kind that is not read.')
  return toInvalidParamError('The file is a damaged archive.')
}
