import type { Estimate, Measured } from '#contract/estimate.ts'
import { useWords } from '../ui/words.ts'
import classes from './Counted.module.css'
import { labWords } from './messages.ts'

export interface CountedProps {
  label: string
  estimate: Estimate
  /** Undefined while the platform has counted nothing. */
  measured: Measured | undefined
}

/** What the lab had estimated, and beside it what the platform counted. */
export function Counted({ label, estimate, measured }: CountedProps) {
  const t = useWords(labWords)
  const rows = [
    [t('segments'), estimate.segments, measured?.segments],
    ...(estimate.children > 0 ? [[t('childChunks'), estimate.children, measured?.children] as const] : []),
    [t('tokens'), estimate.tokens, measured?.tokens],
    [t('words'), estimate.words, measured?.words],
  ] as const
  return (
    <table className={classes.counted} aria-label={label}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('estimated')}</th>
          <th scope="col">{t('counted')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, estimated, counted]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{estimated.toLocaleString('en')}</td>
            <td data-missing={counted == null || undefined}>
              {counted?.toLocaleString('en') ?? t(measured ? 'notGiven' : 'notYet')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
