import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { count, seconds } from '../figures.ts'
import { shareOf, type View } from './axis.ts'
import { iconOf, lengthOf, nameOf, tokensOf } from './look.ts'
import { timelineWords } from './messages.ts'
import type { Scale } from './scale.ts'
import type { Span } from './spans.ts'
import classes from './Timeline.module.css'

export interface TimelineRowProps {
  span: Span
  /** The part of the axis that is shown, in the axis's own seconds. */
  view: View
  scale: Scale
  id: string
  index: number
  isSelected: boolean
  /** Null for what holds nothing. */
  isOpen: boolean | null
  onSelect: (span: Span) => void
  onToggle: (span: Span) => void
}

/** A node on the axis: its name, its bar with the retries as ticks, its seconds. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { span, view, scale, id, index, isSelected, isOpen, onSelect, onToggle } = props
  const t = useWords(timelineWords)
  const { kind, node, round, depth, start, end, state, ticks } = span
  const Icon = iconOf(span)
  const name = kind === 'round' ? t('round', { round: round ?? 0 }) : nameOf(node)
  const [from, to] = [scale.at(start), scale.at(end)]
  const left = shareOf(from, view)
  const right = shareOf(to, view)
  const isUnreached = kind === 'unreached'
  const isOutside = isUnreached || to < view.from || from > view.to
  const note = noteOf()
  // Behind the bar, else before it; under a bracket there is room too.
  const place =
    right < 0.7
      ? { left: percent(right) }
      : left > 0.3
        ? { right: percent(1 - left) }
        : kind === 'holder'
          ? { right: percent(1 - right) }
          : null
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
        <StateBadge word={state} bare />
        {isOpen === null ? null : (
          <button
            type="button"
            className={classes.fold}
            tabIndex={-1}
            aria-label={t(isOpen ? 'fold' : 'open', { name })}
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
            style={{ left: percent(left), width: percent(right - left) }}
          />
        )}
        {isUnreached ? <span className={classes.unreached}>{t('notReached')}</span> : null}
        {ticks
          .map(scale.at)
          .filter((tick) => tick >= view.from && tick <= view.to)
          .map((tick, at) => (
            <i
              key={at}
              className={classes.tick}
              title={t('retryTick')}
              style={{ left: percent(shareOf(tick, view)) }}
            />
          ))}
        {note === null || isOutside || place === null ? null : (
          <span className={classes.beside} style={place}>
            {note}
          </span>
        )}
      </span>
      <span role="gridcell" className={classes.took}>
        {isUnreached ? '–' : took(end - start)}
      </span>
    </div>
  )

  function noteOf(): ReactNode {
    if (kind === 'round' || isUnreached) return null
    const length = lengthOf(node)
    const tokens = tokensOf(node)
    if (kind === 'holder' && length !== null) return t('roundsOf', { rounds: node.rounds, length })
    if (kind === 'holder') return t('rounds', { rounds: node.rounds })
    if (node.retries.length > 0) return t('tries', { count: node.retries.length + 1 })
    if (tokens !== null) return t('tokens', { tokens: count(tokens) })
    return node.logs.length > 0 ? t('logs', { count: node.logs.length }) : null
  }
})

/** Seconds; what took less than a tenth of one to the millisecond. */
const took = (time: number): string => (time < 0.1 ? time.toFixed(3) : seconds(time * 1000))
const percent = (share: number): string => `${(share * 100).toFixed(3)}%`
