import type { ChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './ChunkLab.module.css'
import type { ChunkStats } from './worker/chunkStats.ts'
import { chunkLabMessages } from './messages.ts'

export interface ChunkHistogramProps {
  bins: ChunkStats['bins']
  /** The count of a bar of full height; the highest bar where it is less. */
  maxCount: number
  measure: ChunkMeasure
}

/** How many chunks have which size. */
export function ChunkHistogram({ bins, maxCount: scaleMax, measure }: ChunkHistogramProps) {
  const t = useMessages(chunkLabMessages)
  const maxCount = Math.max(1, scaleMax, ...bins.map(({ count }) => count))
  const summary = bins.filter(({ count }) => count > 0).map(({ count, from, to }) => t('bin', { n: count, from, to }))
  return (
    <div
      className={classes.histogram}
      role="img"
      aria-label={t('histogram', { measure: t(`measures.${measure}`), text: summary.join(', ') })}
    >
      {bins.map(({ from, to, count }) => (
        <span key={from} title={t('bin', { n: count, from, to })}>
          <i style={{ height: count === 0 ? 0 : `${Math.max(4, (count / maxCount) * 100)}%` }} />
          <small>{to.toLocaleString('en')}</small>
        </span>
      ))}
    </div>
  )
}
