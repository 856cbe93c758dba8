import type { ReactNode } from 'react'
import { uiWords } from './messages.ts'
import classes from './Metric.module.css'
import { useWords } from './words.ts'

/** One figure with its name: `first token 1.29 s`. What was not given says so; it is never 0. */
export function Metric({ label, value, unit }: { label: string; value: ReactNode; unit?: string }) {
  const t = useWords(uiWords)
  const given = value !== null && value !== undefined
  return (
    <span className={classes.metric}>
      <span className={classes.label}>{label}</span>{' '}
      {given ? <b className={classes.value}>{value}</b> : <span>{t('notGiven')}</span>}
      {given && unit ? <span className={classes.label}> {unit}</span> : null}
    </span>
  )
}
