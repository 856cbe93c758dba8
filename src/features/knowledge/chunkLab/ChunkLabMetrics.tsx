import type { MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import type { ChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import { Metric } from '../../../components/data/Metric.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './ChunkLab.module.css'
import { chunkLabMessages } from './messages.ts'
import type { ChunkingView } from './useChunking.ts'

interface ChunkLabMetricsProps {
  chunking: ChunkingView
  measure: ChunkMeasure
  measuredChunks: MeasuredChunks | undefined
}

/** How many chunks of which size, and how many the platform made. */
export function ChunkLabMetrics({ chunking, measure, measuredChunks }: ChunkLabMetricsProps) {
  const t = useMessages(chunkLabMessages)
  const { stats } = chunking
  return (
    <div>
      <div className={classes.figures} role="status" aria-live="off">
        <Metric label={t('segments')} value={stats.segments.toLocaleString('en')} />
        {stats.children > 0 ? <Metric label={t('childChunks')} value={stats.children.toLocaleString('en')} /> : null}
        <Metric label={t(`measures.${measure}`)} value={stats.tokens.toLocaleString('en')} />
        <Metric label={t('median')} value={stats.median.toLocaleString('en')} />
        <Metric label={t('largest')} value={stats.largest.toLocaleString('en')} />
        {chunking.isDone ? (
          <Metric label={t('speed')} value={t('ms', { ms: Math.round(chunking.durationMs ?? 0) })} />
        ) : (
          <span>{t('cutting', { percent: Math.floor(chunking.progress * 100) })}</span>
        )}
      </div>
      {measuredChunks ? (
        <div className={classes.figures}>
          <b>{t('measured')}</b>
          <Metric label={t('segments')} value={measuredChunks.segments?.toLocaleString('en')} />
          {stats.children > 0 ? (
            <Metric label={t('childChunks')} value={measuredChunks.children?.toLocaleString('en')} />
          ) : null}
          <Metric label={t('tokens')} value={measuredChunks.tokens?.toLocaleString('en')} />
        </div>
      ) : null}
    </div>
  )
}
