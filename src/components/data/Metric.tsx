import type { ReactNode } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import classes from './Metric.module.css'
import { useMessages } from '../i18n/useMessages.ts'

export interface MetricProps {
  label: string
  value: ReactNode
  unit?: string
  /** Who measured it. */
  title?: string | undefined
}

/** A number with its label: `first token 1.29 s`. A missing value is shown as missing, never as 0. */
export function Metric({ label, value, unit, title }: MetricProps) {
  const t = useMessages(componentMessages)
  const isKnown = value !== null && value !== undefined
  return (
    <span className={classes.metric} title={title}>
      <span className={classes.label}>{label}</span>{' '}
      {isKnown ? <b className={classes.value}>{value}</b> : <span>{t('notGiven')}</span>}
      {isKnown && unit ? <span className={classes.label}> {unit}</span> : null}
    </span>
  )
}
