import type { DocumentRecord } from '#domain/documentRecord.ts'
import type { DatasetRecord } from '../useDataset.ts'

export type NoHitsReason =
  | 'noDocuments'
  | 'noneAvailable'
  | 'economyHierarchical'
  | 'techniqueUnknown'
  | 'economy'
  | 'other'

interface EmptySearch {
  record: DatasetRecord | null
  /** The first page of the dataset's documents, out of `total`. */
  documents: readonly DocumentRecord[]
  total: number
  /** Whether the documents could be listed; else only the dataset's own record says something. */
  isListed: boolean
  /** The built-in platform searches economy datasets as all others. */
  isBuiltIn: boolean
}

/** Why a search of a dataset found nothing. */
export function getNoHitsReason({ record, documents, total, isListed, isBuiltIn }: EmptySearch): NoHitsReason {
  if (isListed && total === 0) return 'noDocuments'
  const isWholeList = isListed && documents.length >= total
  if (isWholeList && documents.every(isUnavailable)) return 'noneAvailable'
  if (isBuiltIn) return 'other'
  const technique = record?.indexing_technique ?? null
  if (technique === null) return 'techniqueUnknown'
  if (technique !== 'economy') return 'other'
  const isHierarchical = isWholeList
    ? documents.every(({ doc_form }) => doc_form === 'hierarchical_model')
    : record?.doc_form === 'hierarchical_model'
  return isHierarchical ? 'economyHierarchical' : 'economy'
}

const isUnavailable = ({ display_status }: DocumentRecord): boolean =>
  display_status != null && display_status !== 'available'
