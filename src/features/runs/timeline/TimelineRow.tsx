import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { type AxisView, type TimeScale, toAxisShare } from './timeAxis.ts'
import { getNodeName, getNodeTokens, getRoundCount, getSpanIcon } from './nodeDisplay.ts'
import { timelineMessages } from './messages.ts'
import type { TimelineSpan } from './timelineSpans.ts'
import classes from './Timeline.module.css'

interface TimelineRowProps {
  span: TimelineSpan
  /** The visible part of the axis, in axis seconds. */
  view: AxisView
  scale: TimeScale
  id: string
  index: number
  isSelected: boolean
  /** Null for a node without children. */
  isOpen: boolean | null
  onSelect: (span: TimelineSpan) => void
  onToggle: (span: TimelineSpan) => void
}

/** A node on the axis: name, bar with retry ticks, seconds. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { span, view, scale, id, index, isSelected, isOpen, onSelect, onToggle } = props
  const t = useMessages(timelineMessages)
  const { kind, node, round, depth, start, end, state, ticks } = span
  const Icon = getSpanIcon(span)
  const name = kind === 'round' ? t('round', { round: round ?? 0 }) : getNodeName(node)
  const [from, to] = [scale.toPosition(start), scale.toPosition(end)]
  const left = toAxisShare(from, view)
  const right = toAxisShare(to, view)
  const isUnreached = kind === 'unreached'
  const isOutside = isUnreached || to < view.from || from > view.to
  const note = getNote()
  // After the bar if it fits, else before it.
  const besidePlace =
    right < 0.7 ? { left: formatPercent(right) } : left > 0.3 ? { right: formatPercent(1 - left) } : null
  // A bracket without room at its ends is raised, and has its note below its line.
  const isNoteBelow = besidePlace === null && kind === 'holder' && note !== null
  const place = isNoteBelow ? { right: formatPercent(1 - right) } : besidePlace
  return (
    <div
      id={id}
      role="row"
      className={classes.row}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isSelected}
      data-kind={kind}
      data-state={state}
    >
      <span role="gridcell" className={classes.name} style={{ paddingInlineStart: 12 + 16 * Math.min(depth, 8) }}>
        <StatusBadge status={state} isBare />
        {isOpen === null ? null : (
          <button
            type="button"
            className={classes.fold}
            tabIndex={-1}
            aria-label={t(isOpen ? 'collapse' : 'expand', { name })}
            onClick={() => onToggle(span)}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </button>
        )}
        <Icon size={14} stroke={1.8} aria-hidden />
        <button type="button" className={classes.pick} tabIndex={-1} dir="auto" onClick={() => onSelect(span)}>
          {name}
        </button>
        {kind === 'round' ? null : <code>{node.node_type ?? node.kind}</code>}
      </span>
      <span role="gridcell" className={classes.axis}>
        {isOutside ? null : (
          <i
            className={classes.bar}
            data-shape={kind}
            data-state={state}
            data-raised={isNoteBelow || undefined}
            style={{ left: formatPercent(left), width: formatPercent(right - left) }}
          />
        )}
        {isUnreached ? (
          <span className={classes.unreached}>{t(state === 'no details' ? 'noDetails' : 'notReached')}</span>
        ) : null}
        {ticks
          .map(scale.toPosition)
          .filter((tick) => tick >= view.from && tick <= view.to)
          .map((tick, at) => (
            <i
              key={at}
              className={classes.tick}
              title={t('retryTick')}
              style={{ left: formatPercent(toAxisShare(tick, view)) }}
            />
          ))}
        {note === null || isOutside || place === null ? null : (
          <span className={classes.beside} data-below={isNoteBelow || undefined} style={place}>
            {note}
          </span>
        )}
      </span>
      <span role="gridcell" className={classes.took}>
        {isUnreached || (node.is_cut && node.elapsed_time === null && state !== 'running')
          ? '–'
          : formatDuration(end - start)}
      </span>
    </div>
  )

  function getNote(): ReactNode {
    if (kind === 'round' || isUnreached) return null
    const length = getRoundCount(node)
    const tokens = getNodeTokens(node)
    if (kind === 'holder' && length !== null) return t('roundsOf', { rounds: node.rounds, length })
    if (kind === 'holder') return t('rounds', { rounds: node.rounds })
    if (node.is_cut) return t('eventCut')
    if (node.retries.length > 0) return t('tries', { count: node.retries.length + 1 })
    if (tokens !== null) return t('tokens', { tokens: formatCount(tokens) })
    return node.logs.length > 0 ? t('logs', { count: node.logs.length }) : null
  }
})

/** Seconds; below 0.1 s with millisecond precision. */
const formatDuration = (time: number): string => (time < 0.1 ? time.toFixed(3) : formatSeconds(time * 1000))
const formatPercent = (share: number): string => `${(share * 100).toFixed(3)}%`
