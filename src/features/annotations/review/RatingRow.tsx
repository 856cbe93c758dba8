import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import { RunTestCaseButton } from '../../runs/testCase/RunTestCaseButton.tsx'
import type { RatedMessage } from './mergeRatings.ts'

export interface RatingRowProps {
  workspace: string
  app: Key
  message: RatedMessage
  /** Null without permission. */
  onAnnotate: (() => void) | null
}

/** One rated message: its ratings with origin, time and comment, its run or its id, and the way to an annotation. */
export function RatingRow({ workspace, app, message, onAnnotate }: RatingRowProps) {
  const t = useMessages(annotationMessages)
  const { run, ratings, message_id, conversation_id } = message
  const canReadMessage = message_id !== null && conversation_id !== null && app.offers.includes('listMessages')
  const canAnnotate = run !== null || canReadMessage
  return (
    <li>
      {ratings.map(({ id, rating, origin, at, comment }) => (
        <div key={id} className={classes.rating}>
          <p>
            <b>{rating === 'like' ? t('rating.like') : rating === 'dislike' ? t('rating.dislike') : rating}</b>
            <span>{t(`ratedBy.${origin}`)}</span>
            {at ? <RelativeTime at={at} /> : null}
          </p>
          <p className={comment ? classes.text : classes.note} dir="auto">
            {comment || t('noComment')}
          </p>
        </div>
      ))}
      <footer>
        {run ? (
          <Link to={paths.run(run.id, { workspace })}>{run.title || t('openRun')}</Link>
        ) : message_id ? (
          <span className={classes.note}>
            {t('ratedMessage')} <IdChip id={message_id} />
          </span>
        ) : null}
        {onAnnotate && canAnnotate ? (
          <Button size="compact-xs" variant="default" onClick={onAnnotate}>
            {t('doAnnotate')}
          </Button>
        ) : null}
        {run ? <RunTestCaseButton run_id={run.id} app={app} workspace={workspace} /> : null}
        {canAnnotate ? null : <span className={classes.note}>{t('textUnknown')}</span>}
      </footer>
    </li>
  )
}
