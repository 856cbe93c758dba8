import { useEffect, useRef, useState } from 'react'
import type { Frame, Run } from '#contract/console/runs.ts'
import { emptyTable, type FrameTable, growTable } from './frameTable.ts'

/** Maximum time of one folding step (ms), and frames between two checks of the clock. */
const FOLD_BUDGET_MS = 16
const FRAMES_PER_STEP = 500
/** Minimum time between renders of a growing table (ms): each render scans all its frames. */
const UPDATE_INTERVAL_MS = 150

/** Caches tables by their frames, to avoid folding them again. */
const tableCache = new WeakMap<readonly Frame[], FrameTable>()

/** The table of a run's first `count` frames, built in small steps, so that the page stays responsive. */
export function useFrameTable(entry: Run['entry'], frames: readonly Frame[], count: number): FrameTable {
  const [storedTable, setStoredTable] = useState(() => getCachedTable(entry, frames))
  const table =
    storedTable.frames === frames && storedTable.entry === entry ? storedTable : getCachedTable(entry, frames)
  const lastUpdateAt = useRef(0)
  useEffect(() => {
    if (table.count >= count) return
    // Frames that were folded but not rendered yet are not folded again.
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
