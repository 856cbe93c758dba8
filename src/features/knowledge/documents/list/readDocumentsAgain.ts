import type { DocumentRecord } from '#domain/documentRecord.ts'
import { type DocumentListTarget, readAllDocuments } from './readAllDocuments.ts'

/** So few documents are each searched by name; of more, the whole list is read. */
const MAX_SEARCHED_DOCUMENTS = 10

/**
 * The present records of documents, in the same order; without those that the platform does not list any more. The
 * interface reads no document alone.
 * @throws ProblemError if the platform does not list the documents.
 */
export async function readDocumentsAgain(
  target: Pick<DocumentListTarget, 'keyId' | 'dataset_id'>,
  documents: readonly DocumentRecord[],
  signal: AbortSignal,
): Promise<DocumentRecord[]> {
  const keywords =
    documents.length > MAX_SEARCHED_DOCUMENTS
      ? [undefined]
      : [...new Set(documents.map(({ name }) => name?.slice(0, 255)))]
  const lists = await Promise.all(
    keywords.map((keyword) => readAllDocuments({ ...target, keyword, status: undefined }, signal)),
  )
  const records = new Map(lists.flatMap((list) => list.documents).map((record) => [record.id, record]))
  return documents.flatMap(({ id }) => records.get(id) ?? [])
}
