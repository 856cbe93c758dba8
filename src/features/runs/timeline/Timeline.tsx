import { ActionIcon } from '@mantine/core'
import { useDebouncedCallback, useElementSize } from '@mantine/hooks'
import { IconArrowAutofitWidth, IconFold, IconZoomIn, IconZoomInArea, IconZoomOut } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { KnownNode } from '#contract/console/runInsights.ts'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { useNow } from '../../../components/hooks/useNow.ts'
import { padView, type AxisView, zoomView } from './timeAxis.ts'
import { TimelineGaps } from './TimelineGaps.tsx'
import { toAxisTicks } from './axisTicks.ts'
import { timelineMessages } from './messages.ts'
import { findGaps, makeTimeScale } from './timeScale.ts'
import { type TimelineSpan, buildTimeline } from './timelineSpans.ts'
import { TimeSpentNote } from './TimeSpentNote.tsx'
import classes from './Timeline.module.css'
import { TimelineRow } from './TimelineRow.tsx'
import { toUnreachedSpans } from './unreachedNodes.ts'
import { useSelectedNode } from './useSelectedNode.ts'

export interface TimelineProps {
  turn: Turn
  /** Nodes that earlier runs of the same workflow had. */
  knownNodes?: readonly KnownNode[]
  /** Brings the node that was chosen into sight, where it is not. */
  onSelectNode: (key: string) => void
}

const ROW_HEIGHT_PX = matchMedia('(pointer: coarse)').matches ? 40 : 33
const MAX_VISIBLE_ROWS = 16
const NO_KNOWN_NODES: readonly KnownNode[] = []
/** A browser refuses to have its address changed at each key that is held down. */
const URL_UPDATE_DELAY_MS = 200
/** Pixels that the words of a tick need. */
const TICK_WIDTH_PX = 76

/** The nodes of a run as a tree on a time axis: one tab stop, arrows inside, only the rows in sight are in the page. */
export function Timeline({ turn, knownNodes = NO_KNOWN_NODES, onSelectNode }: TimelineProps) {
  const t = useMessages(timelineMessages)
  const id = useId()
  const list = useRef<VirtualizerHandle>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const [selectedNode, selectNode] = useSelectedNode()
  const [cursor, setCursor] = useState(selectedNode)
  const lastWrittenKey = useRef(selectedNode)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const { ref: axis, width } = useElementSize()
  const [zoom, setZoom] = useState<AxisView | null>(null)
  const [hidesGaps, setHidesGaps] = useState(false)
  const over = isTurnOver(turn)
  // Drawn in slices between which the browser answers, however many nodes there are.
  const run = useDeferredValue(turn.answer.run)
  const now = useNow(!over)
  const age = over ? (turn.duration_ms ?? 0) / 1000 : Math.max(0, now - turn.sent_at) / 1000
  const timeline = useMemo(() => buildTimeline(over ? { ...run, ended: true } : run, age), [run, over, age])
  const holding = useMemo(() => new Set(timeline.spans.flatMap(({ within }) => within.slice(0, 1))), [timeline])
  const { length } = timeline
  const rows = useMemo(() => {
    const reached = timeline.spans.filter(({ within }) => !within.some((key) => folded.has(key)))
    return over ? [...reached, ...toUnreachedSpans(run, knownNodes, length)] : reached
  }, [timeline, folded, over, run, knownNodes, length])
  // While it runs the gap at the end is no gap yet.
  const gaps = useMemo(() => (over ? findGaps(timeline.spans, length) : []), [timeline, length, over])
  const scale = useMemo(() => makeTimeScale(length, gaps, hidesGaps), [length, gaps, hidesGaps])
  const fullView = useMemo(() => ({ from: 0, to: Math.max(scale.length, 0.001) }), [scale])
  const view = zoom ?? fullView
  // What is chosen elsewhere (Back, a link, the panel's cross) moves the cursor too.
  const follow = useEffectEvent(() => {
    if (selectedNode !== lastWrittenKey.current) setCursor(selectedNode)
    lastWrittenKey.current = selectedNode
  })
  useEffect(() => follow(), [selectedNode])
  const at = rows.findIndex(({ key }) => key === cursor)
  const write = (key: string) => {
    lastWrittenKey.current = key
    selectNode(key)
  }
  const writeDebounced = useDebouncedCallback(write, URL_UPDATE_DELAY_MS)

  const onSelect = ({ key }: TimelineSpan) => {
    setCursor(key)
    write(key)
    onSelectNode(key)
  }
  const onToggle = useCallback(
    ({ key }: TimelineSpan) =>
      setFolded((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      ),
    [],
  )
  const go = (index: number) => {
    const to = Math.min(rows.length - 1, Math.max(0, index))
    const row = rows[to]
    if (!row) return
    setCursor(row.key)
    list.current?.scrollToIndex(to, { align: 'nearest' })
    writeDebounced(row.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    const opens = row !== undefined && holding.has(row.key)
    const isFolded = row !== undefined && folded.has(row.key)
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? ROW_HEIGHT_PX) / ROW_HEIGHT_PX) - 2)
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    }
    const step = steps[event.key]
    if (step !== undefined) go(step)
    else if (event.key === '+' || event.key === '=') zoomBy(0.5)
    else if (event.key === '-') zoomBy(2)
    else if (event.key === '0') setZoom(null)
    else if (!row) return
    else if (event.key === 'ArrowRight') {
      if (opens && isFolded) onToggle(row)
      else if (opens) go(at + 1)
    } else if (event.key === 'ArrowLeft') {
      if (opens && !isFolded) onToggle(row)
      else go(rows.findIndex(({ key }) => key === row.within[0]))
    } else if (event.key === 'Enter' || event.key === ' ') onSelect(row)
    else return
    event.preventDefault()
  }
  const selected = rows[at]
  /** Zooms about the node that is selected, else about the middle. */
  function zoomBy(factor: number) {
    const row = rows[at]
    const middle = row ? scale.toPosition((row.start + row.end) / 2) : (view.from + view.to) / 2
    setZoom(zoomView(view, middle, factor, fullView.to))
  }
  const isShort = view.to < 1
  // A tick at the edge would stand over it.
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
          <span role="columnheader" ref={axis} className={classes.axis} aria-label={t('time')} title={t('axis')}>
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
        <span className={classes.tools}>
          <Tooltip label={t(hidesGaps ? 'keepGaps' : 'leaveOutGaps')}>
            <ActionIcon
              aria-label={t('leaveOutGaps')}
              aria-pressed={hidesGaps}
              disabled={gaps.length === 0}
              onClick={() => {
                setHidesGaps(!hidesGaps)
                setZoom(null)
              }}
            >
              <IconFold size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('zoomCloser')}>
            <ActionIcon aria-label={t('zoomCloser')} onClick={() => zoomBy(0.5)}>
              <IconZoomIn size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('zoomOut')}>
            <ActionIcon aria-label={t('zoomOut')} disabled={zoom === null} onClick={() => zoomBy(2)}>
              <IconZoomOut size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('zoomIn')}>
            <ActionIcon
              aria-label={t('zoomIn')}
              disabled={!selected}
              onClick={() =>
                selected && setZoom(padView(scale.toPosition(selected.start), scale.toPosition(selected.end)))
              }
            >
              <IconZoomInArea size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('showWholeRun')}>
            <ActionIcon aria-label={t('showWholeRun')} disabled={zoom === null} onClick={() => setZoom(null)}>
              <IconArrowAutofitWidth size={16} />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
    </section>
  )
}
