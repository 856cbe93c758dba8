import { Link } from 'react-router'
import { type DocumentRecord, getDocumentState } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { IndexingStepMarks } from '../indexing/IndexingStepMarks.tsx'
import type { WatchedDocument } from '../indexing/indexingWatch.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import type { TableColumn } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'

/** Those that are not shown until somebody asks for them. */
export const INITIALLY_HIDDEN_COLUMNS = [
  'enabled',
  'archived',
  'data_source_type',
  'created_from',
  'created_by',
  'position',
  'id',
]

export interface DocumentColumnsInput {
  dataset_id: string
  workspace: string | undefined
  /** Those that were seen on their way. */
  watchedDocuments: readonly WatchedDocument[]
}

/** What the list of documents can show. */
export function useDocumentColumns({
  dataset_id,
  workspace,
  watchedDocuments,
}: DocumentColumnsInput): TableColumn<DocumentRecord>[] {
  const t = useMessages(documentMessages)
  const watchedById = new Map(watchedDocuments.map((one) => [one.id, one]))
  return [
    {
      header: t('name'),
      grows: true,
      cell: ({ id, name, error }) => (
        <>
          <Link to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
            {name ?? `${t('nameNotGiven')}, ${id.slice(0, 8)}`}
          </Link>
          {error ? (
            <span className={classes.error} title={error}>
              {error}
            </span>
          ) : null}
        </>
      ),
    },
    {
      header: t('state'),
      cell: (document) => <DocumentStatusCell document={document} watched={watchedById.get(document.id)} />,
    },
    { header: 'doc_form', isMono: true, cell: ({ doc_form }) => doc_form },
    { header: t('words'), isNumeric: true, cell: ({ word_count }) => word_count?.toLocaleString() },
    { header: t('tokens'), isNumeric: true, cell: ({ tokens }) => tokens?.toLocaleString() },
    { header: t('hits'), isNumeric: true, cell: ({ hit_count }) => hit_count?.toLocaleString() },
    {
      header: t('created'),
      isNumeric: true,
      cell: ({ created_at }) => (created_at == null ? null : <RelativeTime at={created_at} />),
    },
    { header: 'enabled', isMono: true, cell: ({ enabled }) => enabled?.toString() },
    { header: 'archived', isMono: true, cell: ({ archived }) => archived?.toString() },
    { header: 'data_source_type', isMono: true, cell: ({ data_source_type }) => data_source_type },
    { header: 'created_from', isMono: true, cell: ({ created_from }) => created_from },
    { header: 'created_by', isMono: true, cell: ({ created_by }) => created_by?.slice(0, 8) },
    { header: 'position', isNumeric: true, cell: ({ position }) => position },
    { header: 'id', isMono: true, cell: ({ id }) => id },
  ]
}

function DocumentStatusCell({ document, watched }: { document: DocumentRecord; watched: WatchedDocument | undefined }) {
  const t = useMessages(documentMessages)
  const state = getDocumentState(document)
  return (
    <span className={classes.state}>
      {state ? (
        <StatusBadge status={state} isPlain={state === 'available' || state === 'completed'} />
      ) : (
        <span className={classes.missing}>{t('notGiven')}</span>
      )}
      {watched ? <IndexingStepMarks watched={watched} /> : null}
    </span>
  )
}
