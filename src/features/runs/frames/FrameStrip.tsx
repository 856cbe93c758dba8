import { useMemo } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Frames.module.css'
import { framesMessages } from './messages.ts'
import {
  formatGap,
  type FrameBar,
  type FrameBarKind,
  type FrameSummary,
  SLOW_GAP_MS,
  toBarHeight,
  toFrameBars,
} from './frameStatistics.ts'
import { type FrameTable, getGapMs } from './frameTable.ts'

interface FrameStripProps {
  table: FrameTable
  /** The frames of the run; the table may still be growing. */
  total: number
  summary: FrameSummary
  selected: number | null
  /** The right edge: still streaming, cut off, or neither. */
  edge: 'live' | 'cut' | null
  onSelect: (seq: number) => void
}

const MAX_BARS = 200
const MIN_STRIP_BARS = 40
const AXIS_GAPS_MS = [1000, 100, 10]
const BAR_KINDS: FrameBarKind[] = ['words', 'other', 'slow']

/** A chart of the gaps of a run, one bar per frame. A slider covers it: pointer and arrow keys select frames. */
export function FrameStrip({ table, total, summary, selected, edge, onSelect }: FrameStripProps) {
  const t = useMessages(framesMessages)
  const bars = useMemo(() => toFrameBars(table, MAX_BARS), [table])
  const width = Math.max(MIN_STRIP_BARS, bars.length) * (edge ? 1.12 : 1)
  const at = selected === null ? -1 : bars.findIndex(({ from, to }) => from <= selected && selected <= to)
  const share = (bar: number) => `${(bar / width) * 100}%`
  const longestAt = bars.findIndex(({ from, to }) => from <= summary.longest.seq && summary.longest.seq <= to)
  const first = table.firstTextFrame
  // The labels of the first and the last frame lie over each other where the bars are few.
  const hasEndLabel = bars.length > width * 0.15
  const firstAt = first === null ? -1 : bars.findIndex(({ from, to }) => from <= first && first <= to)
  return (
    <div className={classes.strip}>
      <div className={classes.chart} dir="ltr">
        {AXIS_GAPS_MS.map((gap) => (
          <span key={gap} className={classes.axis} style={{ bottom: `${toBarHeight(gap) * 100}%` }} aria-hidden>
            {gap === 1000 ? '1 s' : `${gap} ms`}
          </span>
        ))}
        <div className={classes.plot}>
          <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" aria-hidden>
            {at < 0 ? null : <rect className={classes.band} x={at - 0.3} y={0} width={1.6} height={1} />}
            {BAR_KINDS.map((kind) => (
              <path key={kind} data-kind={kind} d={toSvgPath(bars, (bar) => bar.kind === kind)} />
            ))}
            {at < 0 ? null : <path data-kind="selected" d={toSvgPath(bars, (_bar, index) => index === at)} />}
          </svg>
          {firstAt < 0 ? null : <i className={classes.first} style={{ left: share(firstAt) }} aria-hidden />}
          {edge ? (
            <i className={classes.edge} data-edge={edge} style={{ left: share(bars.length) }} aria-hidden />
          ) : null}
          <input
            type="range"
            className={classes.slider}
            style={{ width: share(bars.length) }}
            aria-label={t('strip', {
              count: total,
              median: formatGap(summary.median),
              longest: formatGap(summary.longest.gap),
              seq: summary.longest.seq,
            })}
            aria-valuetext={
              selected === null
                ? t('noStrip')
                : t('aFrame', { seq: selected, gap: formatGap(getGapMs(table, selected)) })
            }
            min={1}
            max={table.count}
            value={selected ?? 1}
            onChange={(event) => onSelect(Number(event.currentTarget.value))}
            onClick={(event) => onSelect(Number(event.currentTarget.value))}
          />
        </div>
      </div>
      <div className={classes.ticks} aria-hidden>
        <span style={{ left: 0 }}>{hasEndLabel || total === 1 ? '#1' : `#1 – #${total}`}</span>
        {hasLabelSpace(longestAt, at, bars.length, width) ? (
          <span style={{ left: share(longestAt + 0.5) }} data-middle>
            #{summary.longest.seq}
          </span>
        ) : null}
        {at > width * 0.08 && at < bars.length - width * 0.08 ? (
          <b style={{ left: share(at + 0.5) }} data-middle>
            #{selected}
          </b>
        ) : null}
        {hasEndLabel ? (
          <span style={{ left: share(bars.length) }} data-end>
            #{total}
          </span>
        ) : null}
      </div>
      <div className={classes.legend} aria-hidden>
        {BAR_KINDS.map((kind) => (
          <span key={kind} data-kind={kind}>
            {t(kind, { ms: SLOW_GAP_MS })}
          </span>
        ))}
        <span data-kind="selected">{t('selected')}</span>
        {first === null ? null : <span data-kind="first">{t('firstWords', { seq: first })}</span>}
      </div>
    </div>
  )
}

/** Whether the label of a bar fits between those of the first, the last and the selected one. All are in bars. */
const hasLabelSpace = (bar: number, selected: number, count: number, width: number): boolean =>
  bar > width * 0.1 && bar < count - width * 0.12 && (selected < 0 || Math.abs(bar - selected) > width * 0.1)

const toSvgPath = (bars: readonly FrameBar[], isMeant: (bar: FrameBar, index: number) => boolean): string =>
  bars
    .map((bar, index) =>
      isMeant(bar, index) ? `M${index + 0.12} 1v-${bar.height.toFixed(3)}h0.76v${bar.height.toFixed(3)}z` : '',
    )
    .join('')
