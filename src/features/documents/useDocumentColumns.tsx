import { Link } from 'react-router'
import { type DocumentRecord, stateOf } from '#contract/records.ts'
import { paths } from '../../paths.ts'
import { StepMarks } from '../../ui/indexing/StepMarks.tsx'
import type { Watched } from '../../ui/indexing/steps.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import type { Column } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Documents.module.css'
import { documentsWords } from './messages.ts'

/** Those that are not shown until somebody asks for them. */
export const HIDDEN_AT_FIRST = [
  'enabled',
  'archived',
  'data_source_type',
  'created_from',
  'created_by',
  'position',
  'id',
]

export interface ColumnsInput {
  dataset_id: string
  workspace: string | undefined
  /** Those that were seen on their way. */
  watched: readonly Watched[]
}

/** What the list of documents can show. */
export function useDocumentColumns({ dataset_id, workspace, watched }: ColumnsInput): Column<DocumentRecord>[] {
  const t = useWords(documentsWords)
  const ways = new Map(watched.map((one) => [one.id, one]))
  return [
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
    { head: t('state'), cell: (document) => <State document={document} watched={ways.get(document.id)} /> },
    { head: 'doc_form', mono: true, cell: ({ doc_form }) => doc_form },
    { head: t('words'), number: true, cell: ({ word_count }) => word_count?.toLocaleString() },
    { head: t('tokens'), number: true, cell: ({ tokens }) => tokens?.toLocaleString() },
    { head: t('hits'), number: true, cell: ({ hit_count }) => hit_count?.toLocaleString() },
    {
      head: t('created'),
      number: true,
      cell: ({ created_at }) => (created_at == null ? null : <Since at={created_at} />),
    },
    { head: 'enabled', mono: true, cell: ({ enabled }) => enabled?.toString() },
    { head: 'archived', mono: true, cell: ({ archived }) => archived?.toString() },
    { head: 'data_source_type', mono: true, cell: ({ data_source_type }) => data_source_type },
    { head: 'created_from', mono: true, cell: ({ created_from }) => created_from },
    { head: 'created_by', mono: true, cell: ({ created_by }) => created_by?.slice(0, 8) },
    { head: 'position', number: true, cell: ({ position }) => position },
    { head: 'id', mono: true, cell: ({ id }) => id },
  ]
}

function State({ document, watched }: { document: DocumentRecord; watched: Watched | undefined }) {
  const t = useWords(documentsWords)
  const state = stateOf(document)
  return (
    <span className={classes.state}>
      {state ? (
        <StateBadge word={state} plain={state === 'available' || state === 'completed'} />
      ) : (
        <span className={classes.missing}>{t('notGiven')}</span>
      )}
      {watched ? <StepMarks watched={watched} /> : null}
    </span>
  )
}
