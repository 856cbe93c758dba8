import {
  IconAlertOctagonFilled,
  IconCheck,
  IconCircleDashed,
  IconPlayerPauseFilled,
  IconProgress,
} from '@tabler/icons-react'
import { useWords } from '../words.ts'
import { indexingWords } from './messages.ts'
import classes from './Steps.module.css'
import { type Place, wayOf, type Watched } from './steps.ts'

/** One document on its way: the steps behind it with the time each took as seen here, the one it is at, those to come. */
export function Steps({ watched }: { watched: Watched }) {
  const t = useWords(indexingWords)
  return (
    <ol className={classes.steps}>
      {wayOf(watched).map(({ step, place, took }) => (
        <li key={step} data-place={place} aria-current={place === 'now' ? 'step' : undefined}>
          <Icon place={place} />
          {step}
          {took === null ? null : (
            <span className={classes.took}>{t('stepTook', { seconds: (took / 1000).toFixed(1) })}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

function Icon({ place }: { place: Place }) {
  if (place === 'behind') return <IconCheck size={14} aria-hidden="true" />
  if (place === 'now') return <IconProgress size={14} aria-hidden="true" className={classes.turning} />
  if (place === 'error') return <IconAlertOctagonFilled size={14} aria-hidden="true" />
  if (place === 'paused') return <IconPlayerPauseFilled size={14} aria-hidden="true" />
  return <IconCircleDashed size={14} aria-hidden="true" />
}
