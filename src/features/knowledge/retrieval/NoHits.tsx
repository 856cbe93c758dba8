import { documentEndpoints } from '#contract/platform/documents.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useRead } from '../../../client/query.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { getNoHitsReason } from './noHitsReason.ts'
import { retrievalMessages } from './messages.ts'

/** The dataset of a direct search. `record` is null where this console knows only its id. */
export interface SearchedDataset {
  keyId: string
  isBuiltIn: boolean
  record: DatasetRecord | null
}

export interface NoHitsProps {
  dataset_id: string
  searched: SearchedDataset | null
}

/** Why a search found nothing: the question has no result only where something could have been found. */
export function NoHits({ dataset_id, searched }: NoHitsProps) {
  const t = useMessages(retrievalMessages)
  const { data, isPending } = useRead(
    documentEndpoints.list,
    { key: searched?.keyId, params: { dataset_id }, query: { limit: 100 } },
    { enabled: searched !== null },
  )
  if (searched && isPending) return null
  const documents: DocumentRecord[] = data?.data ?? []
  const reason = searched
    ? getNoHitsReason({ ...searched, documents, total: data?.total ?? documents.length, isListed: data !== undefined })
    : 'other'
  return <p role="status">{t(`noHitsReason.${reason}`)}</p>
}
