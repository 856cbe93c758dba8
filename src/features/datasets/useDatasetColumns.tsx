import { ActionIcon } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Since } from '../../ui/Since.tsx'
import type { Column } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Datasets.module.css'
import { DocumentCount } from './DocumentCount.tsx'
import { Health } from './Health.tsx'
import { datasetsWords } from './messages.ts'
import type { DatasetRow } from './useDatasetList.ts'

/** What the list of datasets can show. A row of the ledger says when it was seen, one of the platform when it changed. */
export function useDatasetColumns(isListed: boolean): Column<DatasetRow>[] {
  const t = useWords(datasetsWords)
  return [
    {
      head: t('name'),
      grow: true,
      cell: ({ id, workspace, name, record }) => (
        <>
          <Link to={paths.dataset(id, { workspace })}>{name ?? `${t('unnamed')}, ${id.slice(0, 8)}`}</Link>
          <span className={classes.description}>{record?.description}</span>
        </>
      ),
    },
    { head: t('indexing'), mono: true, cell: ({ record }) => record?.indexing_technique },
    { head: 'doc_form', mono: true, cell: ({ record }) => record?.doc_form },
    { head: 'permission', mono: true, cell: ({ record }) => record?.permission },
    {
      head: t('documents'),
      number: true,
      cell: ({ thing, record }) =>
        thing ? (
          <DocumentCount thing={thing} recorded={record?.document_count} />
        ) : (
          record?.document_count?.toLocaleString()
        ),
    },
    { head: t('words'), number: true, cell: ({ record }) => record?.word_count?.toLocaleString() },
    { head: t('apps'), number: true, cell: ({ record }) => record?.app_count?.toLocaleString() },
    { head: 'embedding_model', mono: true, cell: ({ record }) => record?.embedding_model || null },
    { head: t('health'), cell: ({ record }) => <Health record={record} /> },
    {
      head: t(isListed ? 'updated' : 'lastSeen'),
      number: true,
      cell: ({ record, thing }) => <Since at={thing ? thing.last_seen : record?.updated_at} />,
    },
    {
      head: t('settings'),
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
