import { useEffect, useRef, useState } from 'react'
import type { Frame, Run } from '#contract/runs.ts'
import { emptyTable, type FrameTable, growTable } from './table.ts'

/** Milliseconds that folding may take at one go, and frames between two looks at the clock. */
const SLICE = 16
const STEP = 500
/** Milliseconds between two drawings of a table that grows: each of them looks at all its frames. */
const SHOW = 150

/** Tables of frames that are still here: who comes back to them finds them folded. */
const folded = new WeakMap<readonly Frame[], FrameTable>()

/** The table of a run's first `count` frames; it takes them in a few at a time, so that the page never stands still. */
export function useFrameTable(entry: Run['entry'], frames: readonly Frame[], count: number): FrameTable {
  const [kept, keep] = useState(() => tableOf(entry, frames))
  const table = kept.frames === frames && kept.entry === entry ? kept : tableOf(entry, frames)
  const shown = useRef(0)
  useEffect(() => {
    if (table.count >= count) return
    // What was folded but not shown yet is not folded again.
    let grown = tableOf(entry, frames)
    const grow = () => {
      const until = performance.now() + SLICE
      do grown = growTable(grown, Math.min(count, grown.count + STEP))
      while (grown.count < count && performance.now() < until)
      folded.set(frames, grown)
      if (grown.count < count && performance.now() - shown.current < SHOW) {
        timer = setTimeout(grow)
      } else {
        shown.current = performance.now()
        keep(grown)
      }
    }
    let timer = setTimeout(grow)
    return () => clearTimeout(timer)
  }, [table, entry, frames, count])
  return table
}

function tableOf(entry: Run['entry'], frames: readonly Frame[]): FrameTable {
  const table = folded.get(frames)
  return table?.entry === entry ? table : emptyTable(entry, frames)
}
