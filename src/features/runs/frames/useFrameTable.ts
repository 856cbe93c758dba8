import { useEffect, useRef, useState } from 'react'
import type { Frame, Run } from '#contract/console/runs.ts'
import { emptyTable, type FrameTable, growTable } from './frameTable.ts'

/** Milliseconds that folding may take at one go, and frames between two looks at the clock. */
const FOLD_BUDGET_MS = 16
const FRAMES_PER_STEP = 500
/** Milliseconds between two drawings of a table that grows: each of them looks at all its frames. */
const UPDATE_INTERVAL_MS = 150

/** Tables of frames that are still here: who comes back to them finds them folded. */
const tableCache = new WeakMap<readonly Frame[], FrameTable>()

/** The table of a run's first `count` frames; it takes them in a few at a time, so that the page never stands still. */
export function useFrameTable(entry: Run['entry'], frames: readonly Frame[], count: number): FrameTable {
  const [storedTable, setStoredTable] = useState(() => getCachedTable(entry, frames))
  const table =
    storedTable.frames === frames && storedTable.entry === entry ? storedTable : getCachedTable(entry, frames)
  const lastUpdateAt = useRef(0)
  useEffect(() => {
    if (table.count >= count) return
    // What was folded but not shown yet is not folded again.
    let grown = getCachedTable(entry, frames)
    const grow = () => {
      const until = performance.now() + FOLD_BUDGET_MS
      do grown = growTable(grown, Math.min(count, grown.count + FRAMES_PER_STEP))
      while (grown.count < count && performance.now() < until)
      tableCache.set(frames, grown)
      if (grown.count < count && performance.now() - lastUpdateAt.current < UPDATE_INTERVAL_MS) {
        timer = setTimeout(grow)
      } else {
        lastUpdateAt.current = performance.now()
        setStoredTable(grown)
      }
    }
    let timer = setTimeout(grow)
    return () => clearTimeout(timer)
  }, [table, entry, frames, count])
  return table
}

function getCachedTable(entry: Run['entry'], frames: readonly Frame[]): FrameTable {
  const table = tableCache.get(frames)
  return table?.entry === entry ? table : emptyTable(entry, frames)
}
