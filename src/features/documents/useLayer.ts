import { useState } from 'react'
import type { Problem } from '#contract/problem.ts'
import type { DocumentRecord } from '#contract/records.ts'
import { useListState } from '../../ui/useListState.ts'

/** What lies over the list of documents. The update of a document has a URL of its own: `?update=<id>&by=file`. */
export function useLayer() {
  const list = useListState()
  const [open, setOpen] = useState<'add' | null>(null)
  const [removed, setRemoved] = useState<DocumentRecord | null>(null)
  /** Of which the chunks are exported; null for the whole dataset, undefined where nothing is. */
  const [exported, setExported] = useState<DocumentRecord | null | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | null>(null)
  const page = list.get('page') ?? null
  return {
    isAdding: open === 'add',
    open: setOpen,
    close: () => setOpen(null),
    updated: list.get('update') ?? null,
    by: list.get('by') === 'file' ? ('file' as const) : ('text' as const),
    update: (update: string, by: 'text' | 'file') => list.set({ update, by, page }),
    endUpdate: () => list.set({ update: null, by: null, page }),
    removed,
    remove: setRemoved,
    exported,
    exportOf: setExported,
    problem,
    refuse: setProblem,
  }
}
export type Layer = ReturnType<typeof useLayer>
