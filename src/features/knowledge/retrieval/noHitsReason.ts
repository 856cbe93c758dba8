import type { DocumentRecord } from '#domain/documentRecord.ts'
import type { DatasetRecord } from '../useDataset.ts'

export type NoHitsReason =
  | 'noDocuments'
  | 'noneAvailable'
  | 'economyHierarchical'
  | 'techniqueUnknown'
  | 'economy'
  | 'other'

/**
 * Why a search of a dataset found nothing. `documents` is the first page of its documents, out of `total`; without a list
 * (`isListed` false) only the dataset's own record tells.
 */
export function getNoHitsReason(
  record: DatasetRecord | null,
  documents: readonly DocumentRecord[],
  total: number,
  isListed: boolean,
): NoHitsReason {
  if (isListed && total === 0) return 'noDocuments'
  const isWholeList = isListed && documents.length >= total
  if (isWholeList && documents.every(isUnavailable)) return 'noneAvailable'
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
