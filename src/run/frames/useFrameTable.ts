import { useEffect, useState } from 'react'
import type { Frame, Run } from '#contract/runs.ts'
import { emptyTable, type FrameTable, growTable } from './table.ts'

/** Milliseconds that folding may take at one go, and frames between two looks at the clock. */
const SLICE = 16
const STEP = 500

/** Tables of frames that are still here: who comes back to them finds them folded. */
const folded = new WeakMap<readonly Frame[], FrameTable>()

/** The table of a run's first `count` frames; it takes them in a few at a time, so that the page never stands still. */
export function useFrameTable(entry: Run['entry'], frames: readonly Frame[], count: number): FrameTable {
  const [kept, keep] = useState(() => tableOf(entry, frames))
  const table = kept.frames === frames && kept.entry === entry ? kept : tableOf(entry, frames)
  useEffect(() => {
    if (table.count >= count) return
    const timer = setTimeout(() => {
      const until = performance.now() + SLICE
      let grown = table
      do grown = growTable(grown, Math.min(count, grown.count + STEP))
      while (grown.count < count && performance.now() < until)
      folded.set(frames, grown)
      keep(grown)
    })
    return () => clearTimeout(timer)
  }, [table, frames, count])
  return table
}

function tableOf(entry: Run['entry'], frames: readonly Frame[]): FrameTable {
  const table = folded.get(frames)
  return table?.entry === entry ? table : emptyTable(entry, frames)
}
