import { useEffect, useState } from 'react'
import type { Frame, Run } from '#contract/runs.ts'
import { emptyTable, type FrameTable, growTable } from './table.ts'

/** Frames that are folded at one go: far below a task of 50 ms. */
const STEP = 2_000

/** Tables of frames that are still here: who comes back to them finds them folded. */
const folded = new WeakMap<readonly Frame[], FrameTable>()

/** The table of a run's first `count` frames; it takes them in a few at a time, so that the page never stands still. */
export function useFrameTable(entry: Run['entry'], frames: readonly Frame[], count: number): FrameTable {
  const [kept, keep] = useState(() => tableOf(entry, frames))
  const table = kept.frames === frames && kept.entry === entry ? kept : tableOf(entry, frames)
  useEffect(() => {
    if (table.count >= count) return
    const timer = setTimeout(() => {
      const grown = growTable(table, Math.min(count, table.count + STEP))
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
