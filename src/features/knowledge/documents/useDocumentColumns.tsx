import { Link } from 'react-router'
import { type DocumentRecord, getDocumentState } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { IndexingStepMarks } from '../indexing/IndexingStepMarks.tsx'
import type { WatchedDocument } from '../indexing/indexingWatch.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import type { ChoosableColumn } from '../../../components/data/useColumnVisibility.ts'
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
}: DocumentColumnsInput): ChoosableColumn<DocumentRecord>[] {
  const t = useMessages(documentMessages)
  const watchedById = new Map(watchedDocuments.map((one) => [one.id, one]))
  return [
    {
      id: 'name',
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
      id: 'state',
      formerHeader: 'State',
      header: t('state'),
      cell: (document) => <DocumentStatusCell document={document} watched={watchedById.get(document.id)} />,
    },
    { id: 'doc_form', header: 'doc_form', isMono: true, cell: ({ doc_form }) => doc_form },
    {
      id: 'word_count',
      formerHeader: 'Words',
      header: 'word_count',
      isNumeric: true,
      cell: ({ word_count }) => word_count?.toLocaleString(),
    },
    {
      id: 'tokens',
      formerHeader: 'Tokens',
      header: t('tokens'),
      isNumeric: true,
      cell: ({ tokens }) => tokens?.toLocaleString(),
    },
    {
      id: 'hit_count',
      formerHeader: 'Hits',
      header: t('hits'),
      isNumeric: true,
      cell: ({ hit_count }) => hit_count?.toLocaleString(),
    },
    {
      id: 'created_at',
      formerHeader: 'Created',
      header: t('created'),
      isNumeric: true,
      cell: ({ created_at }) => (created_at == null ? null : <RelativeTime at={created_at} />),
    },
    { id: 'enabled', header: 'enabled', isMono: true, cell: ({ enabled }) => enabled?.toString() },
    { id: 'archived', header: 'archived', isMono: true, cell: ({ archived }) => archived?.toString() },
    {
      id: 'data_source_type',
      header: 'data_source_type',
      isMono: true,
      cell: ({ data_source_type }) => data_source_type,
    },
    { id: 'created_from', header: 'created_from', isMono: true, cell: ({ created_from }) => created_from },
    { id: 'created_by', header: 'created_by', isMono: true, cell: ({ created_by }) => created_by?.slice(0, 8) },
    { id: 'position', header: 'position', isNumeric: true, cell: ({ position }) => position },
    { id: 'id', header: 'id', isMono: true, cell: ({ id }) => id },
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
