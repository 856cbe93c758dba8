import { ActionIcon, Group, Switch } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import {
  IconArrowAutofitWidth,
  IconFold,
  IconInfoCircle,
  IconZoomIn,
  IconZoomInArea,
  IconZoomOut,
} from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { KnownNode } from '#contract/console/runInsights.ts'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { Turn } from '../turn.ts'
import { type AxisTick, type AxisView, type TimeScale, toAxisShare, toAxisTicks } from './timeAxis.ts'
import { timelineMessages } from './messages.ts'
import {
  findSlowestSpans,
  getIdleShare,
  type TimelineData,
  type TimelineSpan,
  type TimeShare,
} from './timelineSpans.ts'
import classes from './Timeline.module.css'
import { TimelineRow } from './TimelineRow.tsx'
import { type TimelineAxisState, useTimelineAxis, useTimelineCursor, useTimelineRows } from './useTimeline.ts'
import { getNodeName } from './nodeDisplay.ts'

export interface TimelineProps {
  turn: Turn
  /** Nodes of earlier runs of the same workflow. */
  knownNodes?: readonly KnownNode[]
  /** The number of those runs. */
  knownRuns?: number
  /** Scrolls to the selected node if it is not visible. */
  onSelectNode: (key: string) => void
}

const ROW_HEIGHT_PX = matchMedia('(pointer: coarse)').matches ? 40 : 33
const MAX_VISIBLE_ROWS = 16
const NO_KNOWN_NODES: readonly KnownNode[] = []
const TICK_WIDTH_PX = 76

/** The nodes of a run as a tree on a time axis: one tab stop, arrow keys inside, virtualized rows. */
export function Timeline({ turn, knownNodes = NO_KNOWN_NODES, knownRuns = 0, onSelectNode }: TimelineProps) {
  const t = useMessages(timelineMessages)
  const id = useId()
  const list = useRef<VirtualizerHandle>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const { ref: axisRef, width } = useElementSize()
  const timelineRows = useTimelineRows(turn, knownNodes)
  const { over, timeline, rows, holding, folded, onToggle, known } = timelineRows
  const axis = useTimelineAxis(timelineRows)
  const { scale, view, hidesGaps } = axis
  const { at, selected, onSelect, onKeyDown } = useTimelineCursor({
    timelineRows,
    axis,
    onSelectNode,
    scrollToRow: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
    getPageRows: () => Math.max(1, Math.floor((scroll.current?.clientHeight ?? ROW_HEIGHT_PX) / ROW_HEIGHT_PX) - 2),
  })
  const isShort = view.to < 1
  // A label at the edge would overflow.
  const maxShare = 1 - TICK_WIDTH_PX / 2 / Math.max(width, TICK_WIDTH_PX)
  const maxTicks = Math.max(1, Math.floor(width / TICK_WIDTH_PX))
  const marks = toAxisTicks({
    view,
    scale,
    hidesGaps,
    maxTicks,
    maxShare,
    minDistance: TICK_WIDTH_PX / Math.max(width, TICK_WIDTH_PX),
  })
  return (
    <section className={classes.timeline} aria-label={t('timeline')}>
      <div
        className={classes.grid}
        role="treegrid"
        aria-label={t('timeline')}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="row" aria-rowindex={1} className={classes.head}>
          <span role="columnheader" className={classes.name}>
            {t('node')}
          </span>
          <span role="columnheader" ref={axisRef} className={classes.axis} aria-label={t('time')} title={t('axis')}>
            {marks.map(({ tick, share }) => (
              <i key={tick} className={classes.mark} style={{ left: `${share * 100}%` }}>
                {isShort
                  ? t('milliseconds', { ms: Number((tick * 1000).toPrecision(6)) })
                  : t('secondsShort', { seconds: tick })}
              </i>
            ))}
          </span>
          <span role="columnheader" className={classes.took}>
            {t('seconds')}
          </span>
        </div>
        <TimelineGaps scale={scale} view={view} marks={marks} />
        <div
          ref={scroll}
          className={classes.rows}
          style={{ height: ROW_HEIGHT_PX * Math.min(MAX_VISIBLE_ROWS, Math.max(1, rows.length)) }}
        >
          <Virtualizer ref={list} scrollRef={scroll} data={rows} itemSize={ROW_HEIGHT_PX}>
            {(span, index) => (
              <TimelineRow
                key={span.key}
                span={span}
                view={view}
                scale={scale}
                id={`${id}-${index}`}
                index={index}
                isSelected={index === at}
                isOpen={holding.has(span.key) ? !folded.has(span.key) : null}
                onSelect={onSelect}
                onToggle={onToggle}
              />
            )}
          </Virtualizer>
        </div>
      </div>
      <div className={classes.foot}>
        {over ? <TimeSpentNote timeline={timeline} /> : null}
        <TimelineTools axis={axis} selected={selected} />
      </div>
      {known.count > 0 ? <KnownNodesSwitch {...known} runs={knownRuns} /> : null}
    </section>
  )
}

interface KnownNodesSwitchProps {
  count: number
  isShown: boolean
  setShown: (isShown: boolean) => void
  runs: number
}

/** Shows the nodes of other runs on request, with their source: they say nothing about this run. */
function KnownNodesSwitch({ count, isShown, setShown, runs }: KnownNodesSwitchProps) {
  const t = useMessages(timelineMessages)
  return (
    <Switch
      px="md"
      py="xs"
      size="xs"
      checked={isShown}
      onChange={(event) => setShown(event.currentTarget.checked)}
      label={t('knownNodes', { count })}
      description={isShown ? t('knownNodesSource', { runs }) : null}
    />
  )
}

interface TimelineToolsProps {
  axis: TimelineAxisState
  selected: TimelineSpan | undefined
}

/** The zoom buttons, and the switch that hides gaps. */
function TimelineTools({ axis, selected }: TimelineToolsProps) {
  const t = useMessages(timelineMessages)
  const { gaps, hidesGaps } = axis
  return (
    <span className={classes.tools}>
      <Tooltip label={t(hidesGaps ? 'keepGaps' : 'leaveOutGaps')}>
        <ActionIcon
          aria-label={t('leaveOutGaps')}
          aria-pressed={hidesGaps}
          disabled={gaps.length === 0}
          onClick={axis.toggleGaps}
        >
          <IconFold size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('zoomCloser')}>
        <ActionIcon aria-label={t('zoomCloser')} onClick={() => axis.zoomBy(0.5, selected)}>
          <IconZoomIn size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('zoomOut')}>
        <ActionIcon aria-label={t('zoomOut')} disabled={!axis.isZoomed} onClick={() => axis.zoomBy(2, selected)}>
          <IconZoomOut size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('zoomIn')}>
        <ActionIcon aria-label={t('zoomIn')} disabled={!selected} onClick={() => selected && axis.zoomTo(selected)}>
          <IconZoomInArea size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('showWholeRun')}>
        <ActionIcon aria-label={t('showWholeRun')} disabled={!axis.isZoomed} onClick={axis.resetZoom}>
          <IconArrowAutofitWidth size={16} />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}

/** The background of the rows: hatched gaps without node activity, and grid lines at the ticks. */
function TimelineGaps({ scale, view, marks }: { scale: TimeScale; view: AxisView; marks: readonly AxisTick[] }) {
  return (
    <div className={classes.behind} aria-hidden="true">
      <span className={classes.axis}>
        {marks.map(({ tick, share }) =>
          share > 0 ? <i key={tick} className={classes.line} style={toPositionStyle(share)} /> : null,
        )}
        {scale.gaps.map((gap) => {
          const [from, to] = [scale.toPosition(gap.from), scale.toPosition(gap.to)]
          if (to < view.from || from > view.to) return null
          const left = toAxisShare(from, view)
          return (
            <i key={gap.from} className={classes.gap} style={toPositionStyle(left, toAxisShare(to, view) - left)} />
          )
        })}
      </span>
    </div>
  )
}

const toPositionStyle = (left: number, width?: number) => ({
  left: `${left * 100}%`,
  ...(width === undefined ? {} : { width: `${width * 100}%` }),
})

/** One sentence on where the time of a run went; nothing for a duration of zero. */
function TimeSpentNote({ timeline }: { timeline: TimelineData }) {
  const t = useMessages(timelineMessages)
  const [first, second] = findSlowestSpans(timeline)
  if (!first) return null
  const idle = getIdleShare(timeline)
  const what = ({ span: { node } }: TimeShare) =>
    node.retries.length > 0
      ? t.rich('whatTries', { b: bold, count: node.retries.length + 1, name: getNodeName(node) })
      : t.rich('what', { b: bold, name: getNodeName(node) })
  return (
    <Group component="p" gap="sm" wrap="nowrap" fz="sm" c="dimmed">
      <IconInfoCircle size={15} className={classes.icon} aria-hidden />
      <span>
        {second
          ? t.rich('topTwoNodes', {
              b: bold,
              share: formatPercent(first.share),
              first: () => <span key="first">{what(first)}</span>,
              next: formatPercent(second.share),
              second: () => <span key="second">{what(second)}</span>,
            })
          : t.rich('topNode', {
              b: bold,
              share: formatPercent(first.share),
              first: () => <span key="first">{what(first)}</span>,
            })}{' '}
        {idle >= 0.1 ? t('idle', { share: formatPercent(idle) }) : null}
      </span>
    </Group>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
const formatPercent = (share: number): string => `${Math.round(share * 100)} %`
