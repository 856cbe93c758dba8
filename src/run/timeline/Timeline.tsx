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
import type { KnownNode } from '#contract/telling.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { isOver, type Turn } from '../turn.ts'
import { useNow } from '../useNow.ts'
import { around, type View, zoomed } from './axis.ts'
import { Gaps } from './Gaps.tsx'
import { marksOf } from './marks.ts'
import { timelineWords } from './messages.ts'
import { gapsOf, scaleOf } from './scale.ts'
import { type Span, timelineOf } from './spans.ts'
import { SpentNote } from './SpentNote.tsx'
import classes from './Timeline.module.css'
import { TimelineRow } from './TimelineRow.tsx'
import { unreachedOf } from './unreached.ts'
import { useChosenNode } from './useChosenNode.ts'

export interface TimelineProps {
  turn: Turn
  /** Nodes that earlier runs of the same workflow had. */
  known?: readonly KnownNode[]
  /** Brings the node that was chosen into sight, where it is not. */
  onChoose: (key: string) => void
}

const ROW = matchMedia('(pointer: coarse)').matches ? 40 : 33
const SHOWN = 16
const NONE: readonly KnownNode[] = []
/** A browser refuses to have its address changed at each key that is held down. */
const REST = 200
/** Pixels that the words of a tick need. */
const TICK = 76

/** The nodes of a run as a tree on a time axis: one tab stop, arrows inside, only the rows in sight are in the page. */
export function Timeline({ turn, known = NONE, onChoose }: TimelineProps) {
  const t = useWords(timelineWords)
  const id = useId()
  const list = useRef<VirtualizerHandle>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const [chosen, choose] = useChosenNode()
  const [cursor, setCursor] = useState(chosen)
  const written = useRef(chosen)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const { ref: axis, width } = useElementSize()
  const [zoom, setZoom] = useState<View | null>(null)
  const [leavesOut, setLeavesOut] = useState(false)
  const over = isOver(turn)
  // Drawn in slices between which the browser answers, however many nodes there are.
  const run = useDeferredValue(turn.answer.run)
  const now = useNow(!over)
  const age = over ? (turn.duration_ms ?? 0) / 1000 : Math.max(0, now - turn.sent_at) / 1000
  const timeline = useMemo(() => timelineOf(over ? { ...run, ended: true } : run, age), [run, over, age])
  const holding = useMemo(() => new Set(timeline.spans.flatMap(({ within }) => within.slice(0, 1))), [timeline])
  const { length } = timeline
  const rows = useMemo(() => {
    const reached = timeline.spans.filter(({ within }) => !within.some((key) => folded.has(key)))
    return over ? [...reached, ...unreachedOf(run, known, length)] : reached
  }, [timeline, folded, over, run, known, length])
  // While it runs the gap at the end is no gap yet.
  const gaps = useMemo(() => (over ? gapsOf(timeline.spans, length) : []), [timeline, length, over])
  const scale = useMemo(() => scaleOf(length, gaps, leavesOut), [length, gaps, leavesOut])
  const whole = useMemo(() => ({ from: 0, to: Math.max(scale.length, 0.001) }), [scale])
  const view = zoom ?? whole
  // What is chosen elsewhere (Back, a link, the panel's cross) moves the cursor too.
  const follow = useEffectEvent(() => {
    if (chosen !== written.current) setCursor(chosen)
    written.current = chosen
  })
  useEffect(() => follow(), [chosen])
  const at = rows.findIndex(({ key }) => key === cursor)
  const write = (key: string) => {
    written.current = key
    choose(key)
  }
  const settle = useDebouncedCallback(write, REST)

  const onSelect = ({ key }: Span) => {
    setCursor(key)
    write(key)
    onChoose(key)
  }
  const onToggle = useCallback(
    ({ key }: Span) =>
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
    settle(row.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    const opens = row !== undefined && holding.has(row.key)
    const isFolded = row !== undefined && folded.has(row.key)
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? ROW) / ROW) - 2)
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
    else if (event.key === '+' || event.key === '=') closer(0.5)
    else if (event.key === '-') closer(2)
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
  function closer(factor: number) {
    const row = rows[at]
    const middle = row ? scale.at((row.start + row.end) / 2) : (view.from + view.to) / 2
    setZoom(zoomed(view, middle, factor, whole.to))
  }
  const isShort = view.to < 1
  // A tick at the edge would stand over it.
  const room = 1 - TICK / 2 / Math.max(width, TICK)
  const most = Math.max(1, Math.floor(width / TICK))
  const marks = marksOf({ view, scale, leavesOut, most, room, distance: TICK / Math.max(width, TICK) })
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
        <Gaps scale={scale} view={view} marks={marks} />
        <div ref={scroll} className={classes.rows} style={{ height: ROW * Math.min(SHOWN, Math.max(1, rows.length)) }}>
          <Virtualizer ref={list} scrollRef={scroll} data={rows} itemSize={ROW}>
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
        {over ? <SpentNote timeline={timeline} /> : null}
        <span className={classes.tools}>
          <Tooltip label={t(leavesOut ? 'keepGaps' : 'leaveOutGaps')}>
            <ActionIcon
              aria-label={t('leaveOutGaps')}
              aria-pressed={leavesOut}
              disabled={gaps.length === 0}
              onClick={() => {
                setLeavesOut(!leavesOut)
                setZoom(null)
              }}
            >
              <IconFold size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('closer')}>
            <ActionIcon aria-label={t('closer')} onClick={() => closer(0.5)}>
              <IconZoomIn size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('farther')}>
            <ActionIcon aria-label={t('farther')} disabled={zoom === null} onClick={() => closer(2)}>
              <IconZoomOut size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('zoomIn')}>
            <ActionIcon
              aria-label={t('zoomIn')}
              disabled={!selected}
              onClick={() => selected && setZoom(around(scale.at(selected.start), scale.at(selected.end)))}
            >
              <IconZoomInArea size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('whole')}>
            <ActionIcon aria-label={t('whole')} disabled={zoom === null} onClick={() => setZoom(null)}>
              <IconArrowAutofitWidth size={16} />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
    </section>
  )
}
