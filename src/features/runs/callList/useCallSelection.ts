import { useRef, useState } from 'react'
import { MAX_SELECTED_CALLS } from '#contract/console/callQuery.ts'
import type { CallListRow } from './callListRow.ts'

export interface CallSelection {
  rows: readonly CallListRow[]
  has: (id: string) => boolean
  /** With the rows of the page: all from the last one that was chosen to this one. */
  toggle: (row: CallListRow, range?: readonly CallListRow[]) => void
  setAll: (rows: readonly CallListRow[]) => void
}

/** The selected rows of a workspace; they stay selected on other pages of the list. */
export function useCallSelection(workspace: string | undefined): CallSelection {
  const [all, setRows] = useState<readonly CallListRow[]>([])
  // A row may be drawn before the one that was chosen last is.
  const last = useRef<string | null>(null)
  const rows = all.filter((row) => row.workspace === workspace)
  return {
    rows,
    has: (id) => rows.some((row) => row.id === id),
    toggle: (row, range) => {
      const from = range?.findIndex(({ id }) => id === last.current) ?? -1
      last.current = row.id
      const to = range?.findIndex(({ id }) => id === row.id) ?? -1
      if (range && from >= 0 && to >= 0) {
        const between = range.slice(Math.min(from, to), Math.max(from, to) + 1)
        setRows((before) => addRows(before, between))
        return
      }
      setRows((before) =>
        before.some(({ id }) => id === row.id) ? before.filter(({ id }) => id !== row.id) : addRows(before, [row]),
      )
    },
    setAll: (all) => setRows((before) => (all.length === 0 ? [] : addRows(before, all))),
  }
}

/** As many as one action takes. */
const addRows = (before: readonly CallListRow[], added: readonly CallListRow[]): CallListRow[] =>
  [...before, ...added.filter(({ id }) => !before.some((row) => row.id === id))].slice(0, MAX_SELECTED_CALLS)
