import { IconClockExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../../ui/words.ts'
import classes from './Frames.module.css'
import { framesWords } from './messages.ts'
import { type FrameSummary, SLOW } from './summary.ts'
import { gapWords } from './times.ts'

export interface FrameSummaryLineProps {
  count: number
  summary: FrameSummary
  onSelect: (seq: number) => void
}

/** How many frames, and how regular they came. The longest gap leads to its frame. */
export function FrameSummaryLine({ count, summary, onSelect }: FrameSummaryLineProps) {
  const t = useWords(framesWords)
  const { median, p95, longest, rate } = summary
  return (
    <div className={classes.summary}>
      <span>{t.rich('count', { b: bold, count: count.toLocaleString('en'), plural: count })}</span>
      <span>{t.rich('median', { b: bold, time: gapWords(median) })}</span>
      <span>{t.rich('p95', { b: bold, time: gapWords(p95) })}</span>
      {rate === null ? null : <span>{t.rich('rate', { b: bold, rate: rate.toFixed(rate < 10 ? 1 : 0) })}</span>}
      <button
        type="button"
        className={classes.longest}
        data-slow={longest.gap > SLOW || undefined}
        title={t('goLongest', { seq: longest.seq })}
        onClick={() => onSelect(longest.seq)}
      >
        <IconClockExclamation size={14} aria-hidden />
        {t.rich('longest', { b: bold, time: gapWords(longest.gap), seq: longest.seq })}
      </button>
    </div>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
