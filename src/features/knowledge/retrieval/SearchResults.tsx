import { Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ProblemError } from '#contract/problem.ts'
import type { RankingComparison } from '#domain/retrieval/compareRankings.ts'
import { useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { retrievalMessages } from './messages.ts'
import type { SearchOutcome } from './retrievalSearch.ts'
import { SearchHit, type SearchHitProps } from './SearchHit.tsx'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useRead } from '../../../client/query.ts'
import type { DatasetRecord } from '../useDataset.ts'

interface SearchResultsProps extends Pick<
  SearchHitProps,
  'question' | 'dataset_id' | 'workspace' | 'editKey' | 'onExpect'
> {
  label: string
  read: UseQueryResult<SearchOutcome, ProblemError>
  searched: SearchedDataset | null
  /** Against the other column; null without one. Passages that only the first has are marked there. */
  comparison: { of: 'first' | 'second'; changes: RankingComparison['changes'] } | null
  openHit: string | null
  onOpenHit: (segment_id: string | null) => void
}

export function SearchResults(props: SearchResultsProps) {
  const { label, read, searched, comparison, openHit, onOpenHit, ...hitProps } = props
  const t = useMessages(retrievalMessages)
  const toOptionLabel = useOptionLabel()
  const findChange = (segment_id: string) => {
    const change = comparison?.changes.get(segment_id) ?? null
    return comparison?.of === 'first' && change?.is !== 'gone' ? null : change
  }
  return (
    <Stack component="section" gap="md" miw={0} fz={13} aria-label={label} aria-busy={read.isFetching && !read.data}>
      <ReadBoundary read={read} action={t('findWhat')} loading={<SkeletonRows rows={3} height={90} />}>
        {(outcome) => (
          <>
            {outcome.fallback ? (
              <Text fz={13} c="var(--interrupted-fg)" role="status">
                {t(`fallback.${toFallbackReason(outcome.fallback.reason)}`, {
                  method: toOptionLabel(outcome.fallback.requested_method),
                })}
              </Text>
            ) : null}
            {outcome.hits.length === 0 ? <NoHits dataset_id={hitProps.dataset_id} searched={searched} /> : null}
            <Stack component="ol" gap="sm">
              {outcome.hits.map((hit, index) => (
                <SearchHit
                  key={hit.segment_id}
                  {...hitProps}
                  hit={hit}
                  rank={index + 1}
                  change={findChange(hit.segment_id)}
                  isOpen={openHit === hit.segment_id}
                  onToggle={(isOpen) => onOpenHit(isOpen ? hit.segment_id : null)}
                />
              ))}
            </Stack>
          </>
        )}
      </ReadBoundary>
    </Stack>
  )
}

const FALLBACK_REASONS = ['no_embedding_model', 'economy_dataset', 'embedding_failed'] as const
const toFallbackReason = (reason: string) => FALLBACK_REASONS.find((known) => known === reason) ?? 'other'

/** The dataset of a direct search. `record` is null where this console knows only its id. */
export interface SearchedDataset {
  keyId: string
  isBuiltIn: boolean
  record: DatasetRecord | null
}

interface NoHitsProps {
  dataset_id: string
  searched: SearchedDataset | null
}

/** Why a search found nothing: the question has no result only where something could have been found. */
function NoHits({ dataset_id, searched }: NoHitsProps) {
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

type NoHitsReason = 'noDocuments' | 'noneAvailable' | 'economyHierarchical' | 'techniqueUnknown' | 'economy' | 'other'

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
