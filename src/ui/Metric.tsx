import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import classes from './Metric.module.css'

/** One figure with its name: `first token 1.29 s`. What was not given says so; it is never 0. */
export function Metric({ label, value, unit }: { label: string; value: ReactNode; unit?: string }) {
  const t = useTranslations('ui')
  const given = value !== null && value !== undefined
  return (
    <span className={classes.metric}>
      <span className={classes.label}>{label}</span>{' '}
      {given ? <b className={classes.value}>{value}</b> : <span>{t('notGiven')}</span>}
      {given && unit ? <span className={classes.label}> {unit}</span> : null}
    </span>
  )
}
