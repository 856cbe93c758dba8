import type { RetrieverResource } from '#contract/platform/schemas.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { compareSources } from './compareSources.ts'
import classes from './Changes.module.css'
import { comparisonMessages } from './messages.ts'

export interface SourceDiffProps {
  before: readonly RetrieverResource[]
  after: readonly RetrieverResource[]
}

/** Which sources were added and removed, and how the scores of the others changed. */
export function SourceDiff({ before, after }: SourceDiffProps) {
  const t = useMessages(comparisonMessages)
  const changes = compareSources(before, after)
  const score = (value: number | null) => (value === null ? t('notGiven') : value.toFixed(3))
  if (changes.length === 0) return <p className={classes.note}>{t('noSources')}</p>
  return (
    <ul className={classes.changes} aria-label={t('sources')}>
      {changes.map(({ kind, source, before: was, after: is }, index) => (
        <li key={index} data-kind={{ gained: 'added', lost: 'removed', kept: 'kept' }[kind]}>
          <span className={classes.kind}>{t(kind)}</span>
          <span className={classes.path}>
            {source.document_name || t('unnamedDocument')}
            {source.segment_position == null ? null : (
              <small> {t('segment', { position: source.segment_position })}</small>
            )}
          </span>
          <span className={classes.values}>
            {t('score')} {kind === 'gained' ? score(is) : kind === 'lost' ? score(was) : `${score(was)} → ${score(is)}`}
            <span className={classes.excerpt}>{source.content ?? t('notGiven')}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
