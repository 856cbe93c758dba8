import { ActionIcon, Box, Button, Group, Text } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconPlugConnectedX,
  IconX,
  IconAlertOctagonFilled,
  IconCheck,
  IconCircleDashed,
  IconPlayerPauseFilled,
  IconProgress,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useNow } from '../../../components/hooks/useNow.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { indexingMessages } from './messages.ts'
import {
  getStalledMs,
  getStatusTime,
  type WatchedDocument,
  type StepPosition,
  toIndexingSteps,
} from './indexingWatch.ts'
import classes from './IndexingStrip.module.css'
import type { IndexingObservation } from './useIndexingWatch.ts'

export interface IndexingStripProps {
  indexing: IndexingObservation
}

/** More would push what they are about off the screen. */
const MAX_SHOWN_DOCUMENTS = 5
/** How long (ms) a completed document is shown before it is only counted. */
const COMPLETED_SHOWN_MS = 4_000

/**
 * Documents that are indexed while this page is open: failed and stalled ones first, then the newest. Completed ones
 * collapse into a count.
 */
export function IndexingStrip({ indexing: { watch, usualDurationMs } }: IndexingStripProps) {
  const t = useMessages(indexingMessages)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const open = watch.documents.filter(({ id }) => !hidden.includes(id))
  const completed = open.filter(({ status }) => status === 'completed')
  const now = useNow(completed.length > 0)
  const folded = completed.filter((one) => now - (getStatusTime(one, 'completed') ?? 0) > COMPLETED_SHOWN_MS)
  const unfolded = open.filter((one) => !folded.includes(one)).toReversed()
  if (open.length === 0) return null
  const isFailedOrStalled = (one: WatchedDocument) =>
    one.error !== null || getStalledMs(one, usualDurationMs, one.observedAt) !== null
  const shown = unfolded
    .toSorted((one, other) => Number(isFailedOrStalled(other)) - Number(isFailedOrStalled(one)))
    .slice(0, MAX_SHOWN_DOCUMENTS)
  const hide = (documents: readonly WatchedDocument[]) => setHidden([...hidden, ...documents.map(({ id }) => id)])
  return (
    <section className={classes.list} aria-label={t('indexing')}>
      {shown.map((watched) => {
        const name = watched.name ?? t('nameNotGiven')
        const stalledMs = getStalledMs(watched, usualDurationMs, watched.observedAt)
        return (
          <div key={watched.id} className={classes.item}>
            <Text fz="sm" fw={550} truncate>
              {name}
            </Text>
            <IndexingSteps watched={watched} />
            <Tooltip label={t('hide', { name })}>
              <ActionIcon size={24} aria-label={t('hide', { name })} onClick={() => hide([watched])}>
                <IconX size={14} />
              </ActionIcon>
            </Tooltip>
            {stalledMs === null ? null : (
              <Group gap={5} fz="sm" c="var(--interrupted-fg)" className={classes.below}>
                <IconPlugConnectedX size={14} aria-hidden="true" />
                {t('noChange', { time: formatDurationMs(stalledMs) })}{' '}
                {usualDurationMs === null ? t('usualUnknown') : t('usual', { time: formatDurationMs(usualDurationMs) })}
              </Group>
            )}
            {watched.error ? (
              <Text c="var(--failed-fg)" className={classes.below}>
                {t('platformError', { error: watched.error })}
              </Text>
            ) : null}
          </div>
        )
      })}
      <Group gap="xs" px="lg" py={4} fz="sm" c="dimmed" className={classes.rest}>
        {unfolded.length > shown.length ? <span>{t('rest', { n: unfolded.length - shown.length })}</span> : null}
        {folded.length > 0 ? (
          <Group gap={4} c="var(--succeeded-fg)" role="status">
            <IconCircleCheckFilled size={14} aria-hidden="true" />
            {t('completedCount', { n: folded.length })}
          </Group>
        ) : null}
        <Button variant="subtle" color="gray" size="compact-xs" ml="auto" onClick={() => hide(open)}>
          {t('hideAll')}
        </Button>
      </Group>
    </section>
  )
}

const formatDurationMs = (ms: number): string =>
  ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`

/** One document in progress: the completed steps with their observed times, the current one, and those to come. */
function IndexingSteps({ watched }: { watched: WatchedDocument }) {
  const t = useMessages(indexingMessages)
  return (
    <ol className={classes.steps}>
      {toIndexingSteps(watched).map(({ step, position, durationMs }) => (
        <li key={step} data-place={position} aria-current={position === 'now' ? 'step' : undefined}>
          <StepIcon position={position} />
          {step}
          {durationMs === null ? null : (
            <span className={classes.took}>{t('secondsShort', { seconds: (durationMs / 1000).toFixed(1) })}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

function StepIcon({ position }: { position: StepPosition }) {
  if (position === 'behind') return <IconCheck size={14} aria-hidden="true" />
  if (position === 'now') return <IconProgress size={14} aria-hidden="true" data-turning />
  if (position === 'error') return <IconAlertOctagonFilled size={14} aria-hidden="true" />
  if (position === 'paused') return <IconPlayerPauseFilled size={14} aria-hidden="true" />
  return <IconCircleDashed size={14} aria-hidden="true" />
}

/** A document's way in the width of a cell: a mark for each step, and what it is and took on hover and focus. */
export function IndexingStepMarks({ watched }: { watched: WatchedDocument }) {
  const t = useMessages(indexingMessages)
  const steps = toIndexingSteps(watched)
  const lines = steps.map(({ step, position, durationMs }) =>
    durationMs === null
      ? t(position === 'ahead' ? 'stepAhead' : 'stepUntimed', { step })
      : t('stepLine', { step, seconds: (durationMs / 1000).toFixed(1) }),
  )
  return (
    <Tooltip
      label={lines.map((line) => (
        <Box key={line}>{line}</Box>
      ))}
    >
      {/* The accessible name says all that the text next to it does, so that a screen reader needs no tooltip. */}
      <span role="img" tabIndex={0} aria-label={t('way', { lines: lines.join(', ') })} className={classes.marks}>
        {steps.map(({ step, position }) => (
          <i key={step} data-place={position} />
        ))}
      </span>
    </Tooltip>
  )
}
