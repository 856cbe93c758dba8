import { ActionIcon } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import type { TableColumn } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Datasets.module.css'
import { DocumentCount } from './DocumentCount.tsx'
import { EmbeddingStatus } from './EmbeddingStatus.tsx'
import { datasetMessages } from './messages.ts'
import type { DatasetRow } from './useDatasetList.ts'

/** What the list of datasets can show. A row of the ledger says when it was seen, one of the platform when it changed. */
export function useDatasetColumns(isFromPlatform: boolean): TableColumn<DatasetRow>[] {
  const t = useMessages(datasetMessages)
  return [
    {
      header: t('name'),
      grows: true,
      cell: ({ id, workspace, name, record }) => (
        <>
          <Link to={paths.dataset(id, { workspace })}>{name ?? `${t('nameNotGiven')}, ${id.slice(0, 8)}`}</Link>
          <span className={classes.description}>{record?.description}</span>
        </>
      ),
    },
    { header: t('indexing'), isMono: true, cell: ({ record }) => record?.indexing_technique },
    { header: 'doc_form', isMono: true, cell: ({ record }) => record?.doc_form },
    { header: 'permission', isMono: true, cell: ({ record }) => record?.permission },
    {
      header: t('documents'),
      isNumeric: true,
      cell: ({ resource, record }) =>
        resource ? (
          <DocumentCount resource={resource} recordedCount={record?.document_count} />
        ) : (
          record?.document_count?.toLocaleString()
        ),
    },
    { header: t('words'), isNumeric: true, cell: ({ record }) => record?.word_count?.toLocaleString() },
    { header: t('apps'), isNumeric: true, cell: ({ record }) => record?.app_count?.toLocaleString() },
    { header: 'embedding_model', isMono: true, cell: ({ record }) => record?.embedding_model || null },
    { header: t('health'), cell: ({ record }) => <EmbeddingStatus record={record} /> },
    {
      header: t(isFromPlatform ? 'updated' : 'lastSeen'),
      isNumeric: true,
      cell: ({ record, resource }) => <RelativeTime at={resource ? resource.last_seen : record?.updated_at} />,
    },
    {
      header: t('settings'),
      cell: ({ id, workspace, name }) => (
        <ActionIcon
          component={Link}
          to={paths.datasetSettings(id, { workspace })}
          size={24}
          className={classes.gear}
          aria-label={t('settingsOf', { name: name ?? id.slice(0, 8) })}
        >
          <IconSettings size={15} />
        </ActionIcon>
      ),
    },
  ]
}
