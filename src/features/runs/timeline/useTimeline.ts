import { useDebouncedCallback } from '@mantine/hooks'
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { KnownNode } from '#contract/console/runInsights.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { useNow } from '../../../components/hooks/useNow.ts'
import { type AxisView, findGaps, makeTimeScale, padView, zoomView } from './timeAxis.ts'
import { buildTimeline, type TimelineSpan, toUnreachedSpans } from './timelineSpans.ts'
import { useSelectedNode } from './useSelectedNode.ts'
import { isUnclearStatus } from '#contract/console/runs.ts'

/** A browser refuses to have its address changed at each key that is held down. */
const URL_UPDATE_DELAY_MS = 200

type TimelineRowsState = ReturnType<typeof useTimelineRows>
export type TimelineAxisState = ReturnType<typeof useTimelineAxis>

/** The nodes of a run as rows, without those under a folded one. */
export function useTimelineRows(turn: Turn, knownNodes: readonly KnownNode[]) {
  const [showsKnown, setShowsKnown] = useState(false)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const over = isTurnOver(turn)
  // Drawn in slices between which the browser answers, however many nodes there are.
  const run = useDeferredValue(turn.answer.run)
  const now = useNow(!over && turn.played_ms === undefined)
  // A recording has a clock of its own, which has nothing to do with when the run was sent.
  const age = (over ? (turn.duration_ms ?? 0) : (turn.played_ms ?? Math.max(0, now - turn.sent_at))) / 1000
  const timeline = useMemo(() => buildTimeline(over ? { ...run, ended: true } : run, age), [run, over, age])
  const holding = useMemo(() => new Set(timeline.spans.flatMap(({ within }) => within.slice(0, 1))), [timeline])
  const { length } = timeline
  const isWholeStream = turn.frames > 0 && !run.told && !isUnclearStatus(turn.state)
  const unreached = useMemo(
    () => (over ? toUnreachedSpans(run, knownNodes, length, isWholeStream) : []),
    [over, run, knownNodes, length, isWholeStream],
  )
  const rows = useMemo(() => {
    const reached = timeline.spans.filter(({ within }) => !within.some((key) => folded.has(key)))
    return showsKnown ? [...reached, ...unreached] : reached
  }, [timeline, folded, showsKnown, unreached])
  const onToggle = useCallback(
    ({ key }: TimelineSpan) =>
      setFolded((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      ),
    [],
  )
  const known = { count: unreached.length, isShown: showsKnown, setShown: setShowsKnown }
  return { over, timeline, rows, holding, folded, onToggle, known }
}

/** The visible part of the axis, and whether gaps without an active node are hidden. */
export function useTimelineAxis({ timeline, over }: TimelineRowsState) {
  const [zoom, setZoom] = useState<AxisView | null>(null)
  const [hidesGaps, setHidesGaps] = useState(false)
  const { length } = timeline
  // While the run is active the gap at the end does not count.
  const gaps = useMemo(() => (over ? findGaps(timeline.spans, length) : []), [timeline, length, over])
  const scale = useMemo(() => makeTimeScale(length, gaps, hidesGaps), [length, gaps, hidesGaps])
  const fullView = useMemo(() => ({ from: 0, to: Math.max(scale.length, 0.001) }), [scale])
  const view = zoom ?? fullView
  return {
    gaps,
    hidesGaps,
    scale,
    view,
    isZoomed: zoom !== null,
    toggleGaps: () => {
      setHidesGaps(!hidesGaps)
      setZoom(null)
    },
    resetZoom: () => setZoom(null),
    zoomTo: ({ start, end }: TimelineSpan) => setZoom(padView(scale.toPosition(start), scale.toPosition(end))),
    /** Zooms about this row, else about the middle. */
    zoomBy: (factor: number, row: TimelineSpan | undefined) => {
      const middle = row ? scale.toPosition((row.start + row.end) / 2) : (view.from + view.to) / 2
      setZoom(zoomView(view, middle, factor, fullView.to))
    },
  }
}

interface TimelineCursorInput {
  timelineRows: TimelineRowsState
  axis: TimelineAxisState
  onSelectNode: (key: string) => void
  scrollToRow: (index: number) => void
  /** How many rows PageUp and PageDown pass. */
  getPageRows: () => number
}

/** The row that the keys move from; it follows the node in the URL, and writes it. */
export function useTimelineCursor({ timelineRows, axis, onSelectNode, scrollToRow, getPageRows }: TimelineCursorInput) {
  const { rows, holding, folded, onToggle } = timelineRows
  const [selectedNode, selectNode] = useSelectedNode()
  const [cursor, setCursor] = useState(selectedNode)
  const lastWrittenKey = useRef(selectedNode)
  // A choice made outside the list (Back, a link, the panel's close button) also moves the cursor.
  const follow = useEffectEvent(() => {
    if (selectedNode !== lastWrittenKey.current) setCursor(selectedNode)
    lastWrittenKey.current = selectedNode
  })
  useEffect(() => void follow(), [selectedNode])
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
  const go = (index: number) => {
    const to = Math.min(rows.length - 1, Math.max(0, index))
    const row = rows[to]
    if (!row) return
    setCursor(row.key)
    scrollToRow(to)
    writeDebounced(row.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    const opens = row !== undefined && holding.has(row.key)
    const isFolded = row !== undefined && folded.has(row.key)
    const page = getPageRows()
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
    else if (event.key === '+' || event.key === '=') axis.zoomBy(0.5, row)
    else if (event.key === '-') axis.zoomBy(2, row)
    else if (event.key === '0') axis.resetZoom()
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
  return { at, selected: rows[at], onSelect, onKeyDown }
}
