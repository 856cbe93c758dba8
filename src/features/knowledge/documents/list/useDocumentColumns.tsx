import { IconPencil } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { type DocumentRecord, getDocumentState } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { IndexingStepMarks } from '../../indexing/IndexingStrip.tsx'
import type { WatchedDocument } from '../../indexing/indexingWatch.ts'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'
import type { ChoosableColumn } from '../../../../components/data/useColumnVisibility.ts'
import { fieldMessages } from '../../../../components/forms/messages.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from '../Documents.module.css'
import { documentMessages } from '../messages.ts'
import { type DocumentSort, SORT_COLUMNS, type SortColumn } from './documentSort.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { useWrite } from '../../../../client/query.ts'

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
  knowledge?: Key | undefined
  /** Those with unsaved edits in this tab. */
  draftDocuments?: ReadonlySet<string>
  getUpdatedAt?: (document: DocumentRecord) => number | null
  /** Whose name is a field. */
  renamed?: string | null
  onRenamed?: () => void
  sort?: DocumentSort | null
  /** The heads sort where it is given. */
  onSort?: (column: SortColumn) => void
}

/** What the list of documents can show. */
export function useDocumentColumns(input: DocumentColumnsInput): ChoosableColumn<DocumentRecord>[] {
  const { watchedDocuments, getUpdatedAt = () => null, sort = null, onSort } = input
  const t = useMessages(documentMessages)
  const field = useMessages(fieldMessages)
  const watchedById = new Map(watchedDocuments.map((one) => [one.id, one]))
  const columns: ChoosableColumn<DocumentRecord>[] = [
    {
      id: 'name',
      header: t('name'),
      grows: true,
      cell: (document) => <DocumentNameCell document={document} {...input} />,
    },
    {
      id: 'state',
      formerHeader: 'State',
      header: t('state'),
      cell: (document) => <DocumentStatusCell document={document} watched={watchedById.get(document.id)} />,
    },
    { id: 'doc_form', header: field('doc_form'), isMono: true, cell: ({ doc_form }) => doc_form },
    {
      id: 'word_count',
      formerHeader: 'Words',
      header: t('wordCount'),
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
    {
      id: 'updated_at',
      header: t('updated'),
      isNumeric: true,
      cell: (document) => {
        const at = getUpdatedAt(document)
        return at === null ? <span className={classes.missing}>–</span> : <RelativeTime at={at} />
      },
    },
    { id: 'enabled', header: t('enabled'), isMono: true, cell: ({ enabled }) => enabled?.toString() },
    { id: 'archived', header: t('archived'), isMono: true, cell: ({ archived }) => archived?.toString() },
    {
      id: 'data_source_type',
      header: t('dataSource'),
      isMono: true,
      cell: ({ data_source_type }) => data_source_type,
    },
    { id: 'created_from', header: t('createdFrom'), isMono: true, cell: ({ created_from }) => created_from },
    { id: 'created_by', header: t('createdBy'), isMono: true, cell: ({ created_by }) => created_by?.slice(0, 8) },
    { id: 'position', header: t('position'), isNumeric: true, cell: ({ position }) => position },
    { id: 'id', header: t('id'), isMono: true, cell: ({ id }) => id },
  ]
  return columns.map((column) => {
    const sortColumn = onSort && SORT_COLUMNS.find((one) => one === column.id)
    if (!sortColumn) return column
    const direction = sort?.column === sortColumn ? sort.direction : null
    return { ...column, sort: { direction, onToggle: () => onSort(sortColumn) } }
  })
}

interface DocumentNameCellProps extends Omit<DocumentColumnsInput, 'watchedDocuments'> {
  document: DocumentRecord
}

function DocumentNameCell(props: DocumentNameCellProps) {
  const { document, dataset_id, workspace, knowledge, draftDocuments, renamed, onRenamed } = props
  const t = useMessages(documentMessages)
  const { id, name, error } = document
  if (renamed === id && knowledge && onRenamed)
    return <RenameField document={document} dataset_id={dataset_id} keyId={knowledge.id} onClose={onRenamed} />
  return (
    <>
      <Link to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
        {name ?? `${t('nameNotGiven')}, ${id.slice(0, 8)}`}
      </Link>
      {draftDocuments?.has(id) ? (
        <span className={classes.draft} title={t('hasDraft')}>
          <IconPencil size={13} aria-hidden="true" />
          {t('notSaved')}
        </span>
      ) : null}
      {error ? (
        <span className={classes.error} title={error}>
          {error}
        </span>
      ) : null}
    </>
  )
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

interface RenameFieldProps {
  document: DocumentRecord
  dataset_id: string
  keyId: string
  onClose: () => void
}

/**
 * The name of a document as a field in its row: Enter saves, Escape or leaving it unchanged closes. Operation 4 with
 * a name only, which only the built-in platform accepts.
 */
function RenameField({ document, dataset_id, keyId, onClose }: RenameFieldProps) {
  const t = useMessages(documentMessages)
  const rename = useWrite(documentEndpoints.updateByText, { onDone: onClose })
  const before = document.name ?? ''
  const [name, setName] = useState(before)
  const save = () => {
    const typed = name.trim()
    if (typed === '' || typed === before) onClose()
    else rename.mutate({ key: keyId, params: { dataset_id, document_id: document.id }, body: { name: typed } })
  }
  return (
    <TextInput
      maw={420}
      aria-label={t('newName', { name: before })}
      value={name}
      maxLength={255}
      autoFocus
      disabled={rename.isPending}
      error={rename.error ? t('renameRefused', { reason: rename.error.problem.message }) : undefined}
      onFocus={(event) => event.currentTarget.setSelectionRange(0, before.replace(/\.[^.]+$/, '').length)}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') onClose()
      }}
      onBlur={() => {
        if (name.trim() === before && !rename.isPending) onClose()
      }}
    />
  )
}
