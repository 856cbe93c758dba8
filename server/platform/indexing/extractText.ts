import { readFile } from 'node:fs/promises'
import { readDocument } from '#domain/documentReading/readDocument.ts'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import { UnreadableFileError, type UnreadableReason } from '#domain/documentReading/unreadableFile.ts'
import { sanitizeText } from '../sanitizeInput.ts'
import { PlatformError } from '../platformErrors.ts'

export interface ExtractionRequest {
  name: string
  bytes: Uint8Array
}

const REFUSALS: Record<UnreadableReason, [status: number, code: string]> = {
  unsupported: [415, 'unsupported_file_type'],
  tooLarge: [413, 'file_too_large'],
  faulty: [400, 'invalid_param'],
}

const CMAP_FOLDER = new URL('cmaps/', import.meta.resolve('pdf.js-extract'))
const loadCMap = (filename: string): Promise<Uint8Array> => readFile(new URL(filename, CMAP_FOLDER))

/** @throws PlatformError for a file that cannot be read */
export async function extractText({ name, bytes }: ExtractionRequest): Promise<DocumentText> {
  try {
    const document = await readDocument(name, new Uint8Array(bytes), loadCMap)
    return { ...document, text: sanitizeText(document.text) }
  } catch (error) {
    throw error instanceof UnreadableFileError ? new PlatformError(...REFUSALS[error.reason], error.message) : error
  }
}
