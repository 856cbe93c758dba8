import { ActionIcon } from '@mantine/core'
import { useDebouncedCallback, useElementSize } from '@mantine/hooks'
import { IconArrowAutofitWidth, IconZoomInArea } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { isOver, type Turn } from '../turn.ts'
import { useNow } from '../useNow.ts'
import { around, shareOf, ticksOf, type View } from './axis.ts'
import { type Span, timelineOf } from './spans.ts'
import { SpentNote } from './SpentNote.tsx'
import classes from './Timeline.module.css'
import { TimelineRow } from './TimelineRow.tsx'
import { useChosenNode } from './useChosenNode.ts'

export interface TimelineProps {
  turn: Turn
  /** Brings the node that was chosen into sight, where it is not. */
  onChoose: () => void
}

const ROW = matchMedia('(pointer: coarse)').matches ? 40 : 33
const SHOWN = 16
/** A browser refuses to have its address changed at each key that is held down. */
const REST = 200
/** Pixels that the words of a tick need. */
const TICK = 76

/** The nodes of a run as a tree on a time axis: one tab stop, arrows inside, only the rows in sight are in the page. */
export function Timeline({ turn, onChoose }: TimelineProps) {
  const t = useTranslations('timeline')
  const id = useId()
  const list = useRef<VirtualizerHandle>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const [chosen, choose] = useChosenNode()
  const [cursor, setCursor] = useState(chosen)
  const written = useRef(chosen)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const { ref: axis, width } = useElementSize()
  const [zoom, setZoom] = useState<View | null>(null)
  const over = isOver(turn)
  const { run } = turn.answer
  const now = useNow(!over)
  const age = over ? (turn.duration_ms ?? 0) / 1000 : Math.max(0, now - turn.sent_at) / 1000
  const timeline = useMemo(() => timelineOf(over ? { ...run, ended: true } : run, age), [run, over, age])
  const holding = useMemo(() => new Set(timeline.spans.flatMap(({ within }) => within.slice(0, 1))), [timeline])
  const rows = useMemo(
    () => timeline.spans.filter(({ within }) => !within.some((key) => folded.has(key))),
    [timeline, folded],
  )
  const { length } = timeline
  const view = useMemo(() => zoom ?? { from: 0, to: Math.max(length, 0.001) }, [zoom, length])
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
    onChoose()
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
  const isShort = view.to < 1
  // A tick at the edge would stand over it.
  const room = 1 - TICK / 2 / Math.max(width, TICK)
  const marks = ticksOf(view, Math.max(1, Math.floor(width / TICK))).filter((tick) => shareOf(tick, view) < room)
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
            {marks.map((tick) => (
              <i key={tick} className={classes.mark} style={{ left: `${shareOf(tick, view) * 100}%` }}>
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
        <div ref={scroll} className={classes.rows} style={{ height: ROW * Math.min(SHOWN, Math.max(1, rows.length)) }}>
          <Virtualizer ref={list} scrollRef={scroll} data={rows} itemSize={ROW}>
            {(span, index) => (
              <TimelineRow
                key={span.key}
                span={span}
                view={view}
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
          <Tooltip label={t('zoomIn')}>
            <ActionIcon
              aria-label={t('zoomIn')}
              disabled={!selected}
              onClick={() => selected && setZoom(around(selected.start, selected.end))}
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
