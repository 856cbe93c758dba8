import { documentEndpoints } from '#contract/platform/documents.ts'
import { toNormalForm } from '#domain/compatibilityForm.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { isSameText } from '#domain/samenessKey.ts'
import { call } from '../../../client/http.ts'

const PAGE_SIZE_ITEMS = 100
/** Names that many others contain are not searched to the end. */
const MAX_PAGES = 20

/**
 * The document of a dataset with this name, composed or decomposed. Released platforms silently replace it when a new
 * document of the same name is sent. Null without one.
 * @throws ProblemError if the platform does not list the documents
 */
export async function findDocumentByName(
  { keyId, dataset_id }: { keyId: string; dataset_id: string },
  name: string,
  signal?: AbortSignal,
): Promise<DocumentRecord | null> {
  // Released platforms compare the keyword without normalization.
  for (const keyword of new Set([name, toNormalForm(name, 'NFC'), toNormalForm(name, 'NFD')]))
    for (let page = 1, seen = 0; page <= MAX_PAGES; page++) {
      const query = { keyword: keyword.slice(0, 255), page, limit: PAGE_SIZE_ITEMS }
      const target = { key: keyId, params: { dataset_id }, query }
      const { data, total } = await call(documentEndpoints.list, target, signal ? { signal } : {})
      const found = data.find((document) => isSameText(document.name ?? '', name))
      if (found) return found
      seen += data.length
      if (data.length === 0 || seen >= (total ?? 0)) break
    }
  return null
}

/** Clocks of the platform and of this browser may differ by this much. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000

/** Whether the document in the reply to a creation existed before: known by its id, or created long ago. */
export const isReplacedDocument = (document: DocumentRecord, existing: DocumentRecord | null): boolean =>
  document.id === existing?.id ||
  (document.created_at != null && document.created_at * 1000 < Date.now() - MAX_CLOCK_DIFFERENCE_MS)
