import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import type { ColumnSort } from '../../../components/data/Table.tsx'
import type { ChoosableColumn } from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { fieldMessages } from '../../../components/forms/messages.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Datasets.module.css'
import { DatasetTags } from '../tags/DatasetTags.tsx'
import { type DatasetSort, type DatasetSortColumn, toggleDatasetSort, type DatasetRow } from './datasetRow.ts'
import { datasetMessages } from './messages.ts'
import { resourceEndpoints, type Resource } from '#contract/console/resources.ts'
import { useRead } from '../../../client/query.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { filterByStatus } from '#domain/documentRecord.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'

/** Those that are not shown until somebody asks for them: with all of them, the last would be outside a narrow window. */
export const HIDDEN_DATASET_COLUMNS = ['doc_form', 'permission']

export interface DatasetColumnsInput {
  isFromPlatform: boolean
  knowledge: Key | undefined
  /** The id of the tag by which the list is filtered. */
  tag: string | undefined
  isBuiltIn: boolean
  sort: DatasetSort | null
}

/** What the list of datasets can show. A row of the ledger says when it was seen, one of the platform when it changed. */
export function useDatasetColumns({
  isFromPlatform,
  knowledge,
  tag,
  isBuiltIn,
  sort,
}: DatasetColumnsInput): ChoosableColumn<DatasetRow>[] {
  const t = useMessages(datasetMessages)
  const field = useMessages(fieldMessages)
  const list = useSearchParamState()
  const toColumnSort = (column: DatasetSortColumn): ColumnSort => ({
    direction: sort?.column === column ? sort.direction : null,
    onToggle: () => list.set({ sort: toggleDatasetSort(sort, column) }),
  })
  const updatedColumn = isFromPlatform ? 'updated_at' : 'last_seen'
  return [
    {
      id: 'name',
      header: t('name'),
      grows: true,
      sort: toColumnSort('name'),
      cell: ({ id, workspace, name, record }) => (
        <>
          <Link to={paths.dataset(id, { workspace })}>{name ?? `${t('nameNotGiven')}, ${id.slice(0, 8)}`}</Link>
          <span className={classes.description}>{record?.description}</span>
        </>
      ),
    },
    ...(isFromPlatform && knowledge?.offers.includes('listTags')
      ? [
          {
            id: 'tags',
            header: t('tags'),
            cell: ({ id, name, record }: DatasetRow) => (
              <DatasetTags
                dataset_id={id}
                name={name ?? id.slice(0, 8)}
                record={record}
                knowledge={knowledge}
                current={tag}
                onFilter={(tag_id) => list.set({ tag: tag_id === tag ? null : tag_id })}
              />
            ),
          },
        ]
      : []),
    {
      id: 'indexing_technique',
      formerHeader: 'Indexing',
      header: t('indexing'),
      isMono: true,
      cell: ({ record }) => record?.indexing_technique,
    },
    { id: 'doc_form', header: field('doc_form'), isMono: true, cell: ({ record }) => record?.doc_form },
    { id: 'permission', header: field('permission'), isMono: true, cell: ({ record }) => record?.permission },
    {
      id: 'document_count',
      formerHeader: 'Documents',
      header: t('documents'),
      isNumeric: true,
      // The count of a row of the ledger is read with the row: a list cannot be sorted by it.
      ...(isFromPlatform ? { sort: toColumnSort('document_count') } : {}),
      cell: ({ resource, record }) =>
        resource ? (
          <DocumentCount resource={resource} recordedCount={record?.document_count} />
        ) : (
          record?.document_count?.toLocaleString()
        ),
    },
    {
      id: 'word_count',
      formerHeader: 'Words',
      header: t('words'),
      isNumeric: true,
      sort: toColumnSort('word_count'),
      cell: ({ record }) => record?.word_count?.toLocaleString(),
    },
    {
      id: 'app_count',
      formerHeader: 'Apps',
      header: t('apps'),
      isNumeric: true,
      sort: toColumnSort('app_count'),
      cell: ({ record }) => record?.app_count?.toLocaleString(),
    },
    {
      id: 'embedding_model',
      header: field('embedding_model'),
      isMono: true,
      cell: ({ record }) => record?.embedding_model || null,
    },
    {
      id: 'embedding_available',
      formerHeader: 'Health',
      header: t('health'),
      cell: (dataset) => (
        <EmbeddingStatus dataset={dataset} knowledge={isFromPlatform ? knowledge : undefined} isBuiltIn={isBuiltIn} />
      ),
    },
    {
      id: updatedColumn,
      formerHeader: isFromPlatform ? 'Updated' : 'Last seen',
      header: t(isFromPlatform ? 'updated' : 'lastSeen'),
      isNumeric: true,
      sort: toColumnSort(updatedColumn),
      cell: ({ record, resource }) => <RelativeTime at={resource ? resource.last_seen : record?.updated_at} />,
    },
    {
      id: 'settings',
      formerHeader: 'Settings',
      header: t('actions'),
      cell: (dataset) => <SettingsLink dataset={dataset} />,
    },
  ]
}

function SettingsLink({ dataset: { id, workspace, name } }: { dataset: DatasetRow }) {
  const t = useMessages(datasetMessages)
  return (
    <ActionIcon
      component={Link}
      to={paths.datasetSettings(id, { workspace })}
      size={24}
      data-above-row
      aria-label={t('settingsOf', { name: name ?? id.slice(0, 8) })}
    >
      <IconSettings size={15} />
    </ActionIcon>
  )
}

/**
 * How many documents a dataset has. The interface answers a dataset's record only where it is created or changed, so the
 * count in it is soon too small: documents that this console has seen since are counted in.
 */
function DocumentCount({ resource, recordedCount }: { resource: Resource; recordedCount: number | null | undefined }) {
  const ledgerRead = useRead(resourceEndpoints.listResources, {
    query: { kind: 'document', workspace: resource.workspace, parent: resource.id, limit: 1 },
  })
  if (recordedCount == null && !ledgerRead.data?.total) return null
  return <>{Math.max(recordedCount ?? 0, ledgerRead.data?.total ?? 0).toLocaleString()}</>
}

interface EmbeddingStatusProps {
  dataset: DatasetRow
  /** Of the platform that listed the dataset; undefined where the row is of the ledger. */
  knowledge: Key | undefined
  isBuiltIn: boolean
}

/** Whether a dataset can be searched, according to its record, and how many of its documents failed. */
function EmbeddingStatus({ dataset, knowledge, isBuiltIn }: EmbeddingStatusProps) {
  const t = useMessages(datasetMessages)
  const { record } = dataset
  if (record?.provider === 'external') return <StatusBadge status="external" />
  // Without a model the built-in platform searches by keyword: nothing is missing there.
  if (!isBuiltIn && record?.indexing_technique === 'high_quality' && record.embedding_available === false)
    return <StatusBadge status="no model" />
  const all = record?.['total_documents']
  const available = record?.['total_available_documents']
  if (typeof all !== 'number' || typeof available !== 'number')
    return <span className={classes.missing}>{t('notGiven')}</span>
  if (available < all)
    return (
      <span className={classes.states}>
        {knowledge ? <FailedDocuments dataset={dataset} knowledge={knowledge} /> : null}
        <StatusBadge status="partly available" isPlain />
        <span>{t('availableCount', { done: available, total: all })}</span>
      </span>
    )
  return <StatusBadge status="ready" isPlain />
}

/** How many documents failed to be indexed. Unknown on platforms that ignore the status filter of their list. */
function FailedDocuments({ dataset: { id, workspace, name }, knowledge }: { dataset: DatasetRow; knowledge: Key }) {
  const t = useMessages(datasetMessages)
  const { data } = useRead(documentEndpoints.list, {
    key: knowledge.id,
    params: { dataset_id: id },
    query: { status: 'error', limit: 1 },
  })
  const count = data && filterByStatus(data.data, 'error').length > 0 ? (data.total ?? data.data.length) : 0
  if (count === 0) return null
  return (
    <Link to={paths.dataset(id, { workspace, status: 'error' })} data-above-row>
      <StatusBadge status="error" count={count} />
      <VisuallyHidden>{t('failedOf', { n: count, name: name ?? id.slice(0, 8) })}</VisuallyHidden>
    </Link>
  )
}
