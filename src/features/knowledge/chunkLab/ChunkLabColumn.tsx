import { LabProblem } from './ChunkLabSource.tsx'
import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { VListHandle } from 'virtua'
import classes from './ChunkLab.module.css'
import { type ChunkSetting, type TextLayout, type ChunkWarning, CHUNK_WARNINGS } from './worker/labChunking.ts'
import { findSettingErrors, type ChunkSettingDraft } from './chunkSettingDraft.ts'
import { type ScrollGroup, ChunkedText } from './ChunkedText.tsx'
import { collectWarnings, toSizeBins, type ChunkStats } from './worker/chunkStats.ts'
import type { ChunkMeasure } from '#domain/chunking/chunkMeasure.ts'
import type { MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { chunkLabMessages } from './messages.ts'
import { ChunkSettingFields } from './ChunkSettingFields.tsx'
import { type ChunkingView, useChunking } from './useChunking.ts'
import { Metric } from '../../../components/data/Metric.tsx'

interface ChunkLabColumnProps {
  name: string
  text: string
  layout: TextLayout
  setting: ChunkSetting
  measure: ChunkMeasure
  /** The fields as typed; null if the setting is typed in another form. */
  draft: ChunkSettingDraft | null
  onDraft: (typed: ChunkSettingDraft) => void
  onUse?: ((setting: ChunkSetting) => void) | undefined
  onClose?: () => void
  /** Of the histogram; shared by the settings that are compared. */
  scale: HistogramScale
  onScale: (scale: HistogramScale) => void
  scrollGroup: ScrollGroup
  onTakeOver?: ((setting: ChunkSettingDraft) => void) | undefined
  onChunked?: ((cut: ChunkingView) => void) | undefined
  measuredChunks?: MeasuredChunks | undefined
}

export function ChunkLabColumn(props: ChunkLabColumnProps) {
  const { name, text, layout, setting, measure, draft, onDraft, onUse, onClose } = props
  const { scale, onScale, scrollGroup, onTakeOver, onChunked, measuredChunks } = props
  const t = useMessages(chunkLabMessages)
  const list = useRef<VListHandle>(null)
  const errors = findSettingErrors(setting)
  const hasErrors = Object.keys(errors).length > 0
  const [debouncedText] = useDebouncedValue(text, 150)
  const chunking = useChunking(debouncedText, layout, hasErrors ? null : setting, measure)
  const { stats, isDone } = chunking
  const notifyDone = useEffectEvent(() => onChunked?.(chunking))
  useEffect(() => {
    if (isDone) notifyDone()
  }, [isDone, chunking.input])
  const bins = useMemo(
    () => (scale.largest > stats.largest ? toSizeBins(chunking.chunks, scale.largest) : stats.bins),
    [chunking.chunks, stats, scale.largest],
  )
  const maxCount = Math.max(0, ...bins.map(({ count }) => count))
  const notifyScale = useEffectEvent(onScale)
  useEffect(() => notifyScale({ largest: stats.largest, maxCount }), [stats.largest, maxCount])
  const goTo = (warning: ChunkWarning) => {
    const from = list.current ? list.current.findItemIndex(list.current.scrollOffset + 1) : -1
    const has = (index: number) => collectWarnings(chunking.chunks[index] ?? EMPTY_CHUNK).includes(warning)
    const all = [...chunking.chunks.keys()].filter(has)
    const next = all.find((index) => index > from) ?? all[0]
    if (next !== undefined) list.current?.scrollToIndex(next, { align: 'start' })
  }
  return (
    <section className={classes.column} aria-label={name}>
      <Group component="header" gap="sm" mih={30}>
        <Text component="h3" flex="1 1 60px" fw={600}>
          {name}
        </Text>
        {onTakeOver && draft && !hasErrors ? (
          <Button variant="default" onClick={() => onTakeOver(draft)}>
            {t('takeOver')}
          </Button>
        ) : null}
        {onUse && !hasErrors ? (
          <Button variant="default" onClick={() => onUse(setting)}>
            {t('use')}
          </Button>
        ) : null}
        {onClose ? (
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('uncompare')}
          </Button>
        ) : null}
      </Group>
      <div>
        {draft ? <ChunkSettingFields draft={draft} errors={errors} onChange={onDraft} /> : null}
        {hasErrors ? <LabProblem>{t('invalidSetting')}</LabProblem> : null}
        {chunking.problem ? <LabProblem>{chunking.problem}</LabProblem> : null}
      </div>
      {chunking.chunks.length > 0 ? (
        <>
          <ChunkLabMetrics chunking={chunking} measure={measure} measuredChunks={measuredChunks} />
          <ChunkHistogram bins={bins} maxCount={scale.maxCount} measure={measure} />
          <Group gap="xs" mih={24} fz="sm" c="dimmed" role="group" aria-label={t('warnings')}>
            {CHUNK_WARNINGS.filter((warning) => stats.warnings[warning] > 0).map((warning) => (
              <UnstyledButton
                key={warning}
                className={classes.warning}
                mih={24}
                title={t('nextWarning', { warning: t(warning) })}
                onClick={() => goTo(warning)}
              >
                {t(warning)} <b>{stats.warnings[warning].toLocaleString('en')}</b>
              </UnstyledButton>
            ))}
            {chunking.isDone && CHUNK_WARNINGS.every((warning) => stats.warnings[warning] === 0)
              ? t('noWarnings')
              : null}
          </Group>
          <ChunkedText
            ref={list}
            label={t('chunksOf', { setting: name })}
            name={name}
            scrollGroup={scrollGroup}
            text={chunking.text}
            chunks={chunking.chunks}
            measure={measure}
          />
        </>
      ) : null}
    </section>
  )
}

const EMPTY_CHUNK = { start: 0, end: 0, tokens: 0, children: [], warnings: [] }

interface ChunkLabMetricsProps {
  chunking: ChunkingView
  measure: ChunkMeasure
  measuredChunks: MeasuredChunks | undefined
}

function ChunkLabMetrics({ chunking, measure, measuredChunks }: ChunkLabMetricsProps) {
  const t = useMessages(chunkLabMessages)
  const { stats } = chunking
  return (
    <div>
      <Group gap="4px 14px" fz={13} role="status" aria-live="off">
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
      </Group>
      {measuredChunks ? (
        <Group gap="4px 14px" fz={13}>
          <b>{t('measured')}</b>
          <Metric label={t('segments')} value={measuredChunks.segments?.toLocaleString('en')} />
          {stats.children > 0 ? (
            <Metric label={t('childChunks')} value={measuredChunks.children?.toLocaleString('en')} />
          ) : null}
          <Metric label={t('tokens')} value={measuredChunks.tokens?.toLocaleString('en')} />
        </Group>
      ) : null}
    </div>
  )
}

interface ChunkHistogramProps {
  bins: ChunkStats['bins']
  /** The count of a bar of full height; the highest bar where it is less. */
  maxCount: number
  measure: ChunkMeasure
}

function ChunkHistogram({ bins, maxCount: scaleMax, measure }: ChunkHistogramProps) {
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

interface HistogramScale {
  largest: number
  maxCount: number
}

export const emptyHistogramScale: HistogramScale = { largest: 0, maxCount: 0 }

/** One scale for two histograms, so that they can be compared by eye. */
export const mergeScales = (one: HistogramScale, other: HistogramScale): HistogramScale => ({
  largest: Math.max(one.largest, other.largest),
  maxCount: Math.max(one.maxCount, other.maxCount),
})
