import { Link } from 'react-router'
import type { ExperimentCause } from '#contract/console/experiments/experimentCauses.ts'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { causeMessages } from './causeMessages.ts'
import classes from './Causes.module.css'

/** One cause: what changed, by whom and when, with links to what was changed and to the call that did it. */
export function CauseLine({
  workspace,
  cause,
  changedShare = null,
}: {
  workspace: string
  cause: ExperimentCause
  /** How much of the text that a case cited changed, from 0 to 1. */
  changedShare?: number | null
}) {
  const t = useMessages(causeMessages)
  const { kind, call, person, at, document_name, differences } = cause
  const what = t(`kinds.${kind}`)
  const path = getCausePath(workspace, cause)
  return (
    <span className={classes.cause}>
      {path ? (
        <Link to={path} title={t('openCause', { what })}>
          {what}
        </Link>
      ) : (
        <b>{what}</b>
      )}
      {document_name ? <span dir="auto">{t('inDocument', { name: document_name })}</span> : null}
      {person ? <span>{t('byPerson', { person })}</span> : null}
      {at ? <RelativeTime at={at} /> : null}
      {changedShare === null ? null : <span>{t('changedShare', { percent: Math.round(changedShare * 100) })}</span>}
      {differences.map(({ name, before, after }) => (
        <span key={name} className={classes.difference}>
          <code>{name}</code>{' '}
          {t('difference', { before: before ?? t('notOnRecord'), after: after ?? t('notOnRecord') })}
        </span>
      ))}
      {call ? (
        <Link to={paths.ledger({ workspace, call })} aria-label={t('viewCallOf', { what })}>
          {t('viewCall')}
        </Link>
      ) : null}
    </span>
  )
}

/** The screen of what was changed; null where it is gone, or is none of the knowledge. */
function getCausePath(workspace: string, { kind, dataset_id, document_id, segment_id }: ExperimentCause) {
  if (dataset_id === null || kind === 'dataset_deleted' || kind === 'document_deleted') return null
  if (kind === 'dataset_settings') return paths.datasetSettings(dataset_id, { workspace })
  if (document_id === null) return paths.dataset(dataset_id, { workspace })
  const segment = segment_id === null || kind === 'segment_deleted' ? {} : { segment: segment_id }
  return paths.document(dataset_id, document_id, { workspace, ...segment })
}
