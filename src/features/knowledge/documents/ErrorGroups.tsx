import { Link } from 'react-router'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'

export interface ErrorGroupsProps {
  documents: readonly DocumentRecord[]
  dataset_id: string
  workspace: string | undefined
}

const MAX_NAMED_DOCUMENTS = 5

/** The errors among the documents that are shown, each said once with the documents that have it. */
export function ErrorGroups({ documents, dataset_id, workspace }: ErrorGroupsProps) {
  const t = useMessages(documentMessages)
  const groups = Object.entries(Object.groupBy(documents, ({ error }) => error ?? '')).filter(([error]) => error)
  if (groups.length === 0) return null
  return (
    <ul className={classes.errors} aria-label={t('errors')}>
      {groups.map(([error, group = []]) => (
        <li key={error}>
          <b>{t('errorGroup', { n: group.length })}</b>
          <span>{t('platformError', { error })}</span>
          {group.slice(0, MAX_NAMED_DOCUMENTS).map(({ id, name }) => (
            <Link key={id} to={paths.document(dataset_id, id, workspace ? { workspace } : {})}>
              {name ?? id.slice(0, 8)}
            </Link>
          ))}
          {group.length > MAX_NAMED_DOCUMENTS ? (
            <span>{t('andMore', { n: group.length - MAX_NAMED_DOCUMENTS })}</span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
