import { ActionIcon } from '@mantine/core'
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
import { DocumentCount } from './DocumentCount.tsx'
import { EmbeddingStatus } from './EmbeddingStatus.tsx'
import { type DatasetSort, type DatasetSortColumn, toggleDatasetSort } from './datasetSort.ts'
import { datasetMessages } from './messages.ts'
import type { DatasetRow } from './datasetRow.ts'

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
      className={classes.gear}
      aria-label={t('settingsOf', { name: name ?? id.slice(0, 8) })}
    >
      <IconSettings size={15} />
    </ActionIcon>
  )
}
