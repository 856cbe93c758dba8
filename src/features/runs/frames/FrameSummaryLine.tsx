import { IconClockExclamation } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Frames.module.css'
import { framesMessages } from './messages.ts'
import { type FrameSummary, SLOW_GAP_MS } from './frameSummary.ts'
import { formatGap } from './frameFormat.ts'

export interface FrameSummaryLineProps {
  count: number
  summary: FrameSummary
  onSelect: (seq: number) => void
}

/** The number and regularity of frames. The longest gap links to its frame. */
export function FrameSummaryLine({ count, summary, onSelect }: FrameSummaryLineProps) {
  const t = useMessages(framesMessages)
  const { median, p95, longest, rate } = summary
  return (
    <div className={classes.summary}>
      <span>{t.rich('count', { b: bold, count: count.toLocaleString('en'), plural: count })}</span>
      <span>{t.rich('median', { b: bold, time: formatGap(median) })}</span>
      <span>{t.rich('p95', { b: bold, time: formatGap(p95) })}</span>
      {rate === null ? null : <span>{t.rich('rate', { b: bold, rate: rate.toFixed(rate < 10 ? 1 : 0) })}</span>}
      <button
        type="button"
        className={classes.longest}
        data-slow={longest.gap > SLOW_GAP_MS || undefined}
        title={t('goLongest', { seq: longest.seq })}
        onClick={() => onSelect(longest.seq)}
      >
        <IconClockExclamation size={14} aria-hidden />
        {t.rich('longest', { b: bold, time: formatGap(longest.gap), seq: longest.seq })}
      </button>
    </div>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
