import type { DocumentRecord } from '#domain/documentRecord.ts'
import { toSearchKey } from '#domain/searchKey.ts'

/** What this browser filters by, over the whole list. */
export interface DocumentFilters {
  /** A metadata field and a part of its value; an empty value finds documents that have any. */
  metadata: { field: string; value: string } | null
  /** Only documents with a draft in this tab. */
  hasDraft: boolean
  /** Only documents of which a reader lost something. */
  hasLosses: boolean
  /** Only documents that no question found within this number of days. */
  unretrievedDays: number | null
}

type FilterParams = Record<'metadata' | 'drafts' | 'losses' | 'unretrieved', string | undefined>

/** In the URL: `metadata=field:value`, `drafts=1`, `losses=1`, `unretrieved=30`. */
export function parseDocumentFilters({ metadata = '', drafts, losses, unretrieved }: FilterParams): DocumentFilters {
  const at = metadata.indexOf(':')
  const days = Number(unretrieved)
  return {
    metadata: at > 0 ? { field: metadata.slice(0, at), value: metadata.slice(at + 1) } : null,
    hasDraft: drafts === '1',
    hasLosses: losses === '1',
    unretrievedDays: Number.isInteger(days) && days > 0 && days <= 365 ? days : null,
  }
}

export const hasDocumentFilters = ({ metadata, hasDraft, hasLosses, unretrievedDays }: DocumentFilters): boolean =>
  metadata !== null || hasDraft || hasLosses || unretrievedDays !== null

interface MetadataValue {
  name: string
  value: string
}

/** The metadata of a document that has a value, as released platforms list it. */
export function listMetadataValues({ doc_metadata }: DocumentRecord): MetadataValue[] {
  if (!Array.isArray(doc_metadata)) return []
  return doc_metadata.flatMap((one: unknown) => {
    const { name, value } = (one ?? {}) as Record<string, unknown>
    const isGiven = typeof value === 'string' ? value !== '' : typeof value === 'number'
    return typeof name === 'string' && isGiven ? [{ name, value: String(value) }] : []
  })
}

export interface FilterContext {
  draftDocuments: ReadonlySet<string>
  /** Documents that a question found within the days of the filter; null while that is not known. */
  retrievedDocuments: ReadonlySet<string> | null
}

export function filterDocuments(
  documents: readonly DocumentRecord[],
  { metadata, hasDraft, hasLosses, unretrievedDays }: DocumentFilters,
  { draftDocuments, retrievedDocuments }: FilterContext,
): DocumentRecord[] {
  const wanted = toSearchKey(metadata?.value ?? '')
  return documents.filter(
    (document) =>
      (!metadata ||
        listMetadataValues(document).some(
          ({ name, value }) => name === metadata.field && toSearchKey(value).includes(wanted),
        )) &&
      (!hasDraft || draftDocuments.has(document.id)) &&
      (!hasLosses || Boolean(document.reading?.losses?.length)) &&
      (unretrievedDays === null || (retrievedDocuments !== null && !retrievedDocuments.has(document.id))),
  )
}
