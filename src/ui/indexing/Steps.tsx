import {
  IconAlertOctagonFilled,
  IconCheck,
  IconCircleDashed,
  IconPlayerPauseFilled,
  IconProgress,
} from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import classes from './Steps.module.css'
import { STEPS, tookOf, type Watched } from './steps.ts'

/** One document on its way: the steps behind it with the time each took as seen here, the one it is at, those to come. */
export function Steps({ watched }: { watched: Watched }) {
  const t = useTranslations('indexing')
  const shown = stepsOf(watched)
  const at = shown.indexOf(watched.status)
  return (
    <ol className={classes.steps}>
      {shown.map((step, index) => {
        const took = tookOf(watched, step)
        const place = placeOf(index, at, watched.status)
        return (
          <li key={step} data-place={place} aria-current={place === 'now' ? 'step' : undefined}>
            <Icon place={place} />
            {step}
            {took !== null && (place === 'behind' || place === 'now') ? (
              <span className={classes.took}>{t('stepTook', { seconds: (took / 1000).toFixed(1) })}</span>
            ) : null}
          </li>
        )
      })}
    </ol>
  )
}

type Place = 'behind' | 'now' | 'ahead' | 'error' | 'paused'

/** A status that is no step of the usual way stands where it was seen. */
function stepsOf({ status, seen }: Watched): readonly string[] {
  if ((STEPS as readonly string[]).includes(status)) return STEPS
  const last = seen.findLast((one) => (STEPS as readonly string[]).includes(one.status))?.status
  const behind = STEPS.findIndex((step) => step === last) + 1
  return [...STEPS.slice(0, behind), status, ...STEPS.slice(behind)]
}

function placeOf(index: number, at: number, status: string): Place {
  if (index > at) return 'ahead'
  if (index < at || status === 'completed') return 'behind'
  return status === 'error' || status === 'paused' ? status : 'now'
}

function Icon({ place }: { place: Place }) {
  if (place === 'behind') return <IconCheck size={14} aria-hidden="true" />
  if (place === 'now') return <IconProgress size={14} aria-hidden="true" className={classes.turning} />
  if (place === 'error') return <IconAlertOctagonFilled size={14} aria-hidden="true" />
  if (place === 'paused') return <IconPlayerPauseFilled size={14} aria-hidden="true" />
  return <IconCircleDashed size={14} aria-hidden="true" />
}
