import {
  IconAlertOctagonFilled,
  IconCheck,
  IconCircleDashed,
  IconPlayerPauseFilled,
  IconProgress,
} from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { indexingMessages } from './messages.ts'
import classes from './IndexingSteps.module.css'
import { type StepPosition, toIndexingSteps, type WatchedDocument } from './indexingWatch.ts'

/** One document on its way: the steps behind it with the time each took as seen here, the one it is at, those to come. */
export function IndexingSteps({ watched }: { watched: WatchedDocument }) {
  const t = useMessages(indexingMessages)
  return (
    <ol className={classes.steps}>
      {toIndexingSteps(watched).map(({ step, position, durationMs }) => (
        <li key={step} data-place={position} aria-current={position === 'now' ? 'step' : undefined}>
          <StepIcon position={position} />
          {step}
          {durationMs === null ? null : (
            <span className={classes.took}>{t('secondsShort', { seconds: (durationMs / 1000).toFixed(1) })}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

function StepIcon({ position }: { position: StepPosition }) {
  if (position === 'behind') return <IconCheck size={14} aria-hidden="true" />
  if (position === 'now') return <IconProgress size={14} aria-hidden="true" className={classes.turning} />
  if (position === 'error') return <IconAlertOctagonFilled size={14} aria-hidden="true" />
  if (position === 'paused') return <IconPlayerPauseFilled size={14} aria-hidden="true" />
  return <IconCircleDashed size={14} aria-hidden="true" />
}
