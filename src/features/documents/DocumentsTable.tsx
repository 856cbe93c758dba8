import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { paths } from '../../paths.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import classes from './Documents.module.css'
import { type DocumentRecord, stateOf } from '#contract/records.ts'

export interface DocumentsTableProps {
  dataset_id: string
  workspace: string | undefined
  documents: readonly DocumentRecord[] | undefined
}

/** The documents of a dataset, one a row. */
export function DocumentsTable({ dataset_id, workspace, documents }: DocumentsTableProps) {
  const t = useTranslations('documents')
  const columns: Column<DocumentRecord>[] = [
    {
      head: t('name'),
      grow: true,
      cell: ({ id, name, error }) => (
        <>
          <Link to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
            {name ?? `${t('unnamed')}, ${id.slice(0, 8)}`}
          </Link>
          {error ? (
            <span className={classes.error} title={error}>
              {error}
            </span>
          ) : null}
        </>
      ),
    },
    { head: t('state'), cell: (document) => <State document={document} /> },
    { head: 'doc_form', mono: true, cell: ({ doc_form }) => doc_form },
    { head: t('words'), number: true, cell: ({ word_count }) => word_count?.toLocaleString() },
    { head: t('tokens'), number: true, cell: ({ tokens }) => tokens?.toLocaleString() },
    { head: t('hits'), number: true, cell: ({ hit_count }) => hit_count?.toLocaleString() },
    {
      head: t('created'),
      number: true,
      cell: ({ created_at }) => (created_at == null ? null : <Since at={created_at} />),
    },
  ]
  return <Table label={t('documents')} columns={columns} rows={documents} keyOf={({ id }) => id} />
}

function State({ document }: { document: DocumentRecord }) {
  const t = useTranslations('documents')
  const state = stateOf(document)
  if (!state) return <span className={classes.missing}>{t('notGiven')}</span>
  return <StateBadge word={state} plain={state === 'available' || state === 'completed'} />
}
