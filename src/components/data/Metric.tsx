import type { ReactNode } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import classes from './Metric.module.css'
import { useMessages } from '../i18n/useMessages.ts'

/** One figure with its name: `first token 1.29 s`. What was not given says so; it is never 0. */
export function Metric({ label, value, unit }: { label: string; value: ReactNode; unit?: string }) {
  const t = useMessages(componentMessages)
  const isKnown = value !== null && value !== undefined
  return (
    <span className={classes.metric}>
      <span className={classes.label}>{label}</span>{' '}
      {isKnown ? <b className={classes.value}>{value}</b> : <span>{t('notGiven')}</span>}
      {isKnown && unit ? <span className={classes.label}> {unit}</span> : null}
    </span>
  )
}
