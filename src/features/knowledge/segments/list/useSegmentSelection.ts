import { useState } from 'react'
import { type SegmentSource, readSegmentIds } from './useSegmentPage.ts'

/** Maximum segments that one action is applied to; each is a request of its own. */
export const MAX_SELECTED_SEGMENTS = 1_000

export interface SegmentSelection {
  ids: ReadonlySet<string>
  /** Selects or deselects one; with `isRange`, all from the one that was chosen before it. */
  toggle: (id: string, index: number, isRange?: boolean) => void
  /** Selects all that match the filter, up to the maximum. */
  selectAll: (total: number) => void
  clear: () => void
}

/** The segments that are selected for an action on several. */
export function useSegmentSelection(source: SegmentSource): SegmentSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<number | null>(null)
  const addRange = async (from: number, to: number) => {
    const range = await readSegmentIds(source, from, to)
    setIds((before) => new Set([...before, ...range].slice(0, MAX_SELECTED_SEGMENTS)))
  }
  return {
    ids,
    toggle: (id, index, isRange = false) => {
      if (isRange && anchor !== null) void addRange(Math.min(anchor, index), Math.max(anchor, index))
      else
        setIds((before) => {
          const after = new Set(before)
          if (!after.delete(id)) after.add(id)
          return after
        })
      setAnchor(index)
    },
    selectAll: (total) => void addRange(0, Math.min(total, MAX_SELECTED_SEGMENTS) - 1),
    clear: () => setIds(new Set()),
  }
}
