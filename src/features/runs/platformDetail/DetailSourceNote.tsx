import type { RunState } from '#domain/workflowRun/runState.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import classes from './WorkflowStatusNote.module.css'

/** The source of the outcome, if it is not the run's own stream or reply. */
export function DetailSourceNote({ run }: { run: RunState }) {
  const t = useMessages(timelineMessages)
  // Older stored runs do not have this field.
  const source = run.told ?? null
  // The platform has confirmed a pause: that is no result.
  if (source === null || (run.paused !== null && !source.elsewhere)) return null
  const since = () => <RelativeTime key="since" at={source.at} />
  const messageKey = source.elsewhere ? 'detailExternal' : run.ended ? 'detailResult' : 'detailNoResult'
  return (
    <p className={classes.told} role="note">
      {t.rich(messageKey, { since })}{' '}
      {source.because === null || !run.ended ? null : t('previousProblem', { reason: source.because })}
    </p>
  )
}
