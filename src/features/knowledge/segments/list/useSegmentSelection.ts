import { useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type SegmentSource, readSegmentIds } from './useSegmentPage.ts'

/** Maximum segments that one action is applied to; each is a request of its own. */
export const MAX_SELECTED_SEGMENTS = 1_000

export interface SegmentSelection {
  ids: ReadonlySet<string>
  problem: Problem | null
  /** Selects or deselects one; with `isRange`, all from the previously chosen one. */
  toggle: (id: string, index: number, isRange?: boolean) => void
  selectAll: (total: number) => void
  clear: () => void
}

interface SelectionState {
  /** What the list was filtered by when the segments were selected. */
  filter: string
  ids: ReadonlySet<string>
  anchor: number | null
  problem: Problem | null
}

/** The segments that are selected for an action on several; another filter of the list deselects them. */
export function useSegmentSelection(source: SegmentSource): SegmentSelection {
  const { document_id, keyword = '', status = '' } = source
  const filter = JSON.stringify([document_id, keyword, status])
  const [selection, setSelection] = useState<SelectionState>(() => toEmptySelection(filter))
  if (selection.filter !== filter) setSelection(toEmptySelection(filter))
  const { ids, anchor, problem } = selection
  // A range that is read under another filter by then selects nothing.
  const change = (to: (before: SelectionState) => Partial<SelectionState>) =>
    setSelection((before) => (before.filter === filter ? { ...before, problem: null, ...to(before) } : before))
  const addRange = async (from: number, to: number) => {
    try {
      const range = await readSegmentIds(source, from, to)
      change((before) => ({ ids: new Set([...before.ids, ...range].slice(0, MAX_SELECTED_SEGMENTS)) }))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      change(() => ({ problem: error.problem }))
    }
  }
  return {
    ids,
    problem,
    toggle: (id, index, isRange = false) => {
      if (isRange && anchor !== null) void addRange(Math.min(anchor, index), Math.max(anchor, index))
      else
        change((before) => {
          const after = new Set(before.ids)
          if (!after.delete(id)) after.add(id)
          return { ids: after }
        })
      change(() => ({ anchor: index }))
    },
    selectAll: (total) => void addRange(0, Math.min(total, MAX_SELECTED_SEGMENTS) - 1),
    clear: () => change(() => ({ ids: new Set() })),
  }
}

const toEmptySelection = (filter: string): SelectionState => ({ filter, ids: new Set(), anchor: null, problem: null })
