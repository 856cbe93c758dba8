import { useState } from 'react'
import type { Problem } from '#contract/problem.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'

/** What lies over the list of documents. The update of a document has a URL of its own: `?update=<id>&by=file`. */
export function useDocumentDialogs() {
  const list = useSearchParamState()
  const [open, setOpen] = useState<'add' | null>(null)
  const [deletedDocument, setDeletedDocument] = useState<DocumentRecord | null>(null)
  /** Of which the chunks are exported; null for the whole dataset, undefined where nothing is. */
  const [exportedDocument, setExportedDocument] = useState<DocumentRecord | null | undefined>(undefined)
  const [describedDocument, setDescribedDocument] = useState<DocumentRecord | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const page = list.get('page') ?? null
  return {
    isAdding: open === 'add',
    open: setOpen,
    close: () => setOpen(null),
    updated: list.get('update') ?? null,
    by: list.get('by') === 'file' ? ('file' as const) : ('text' as const),
    update: (update: string, source: 'text' | 'file') => list.set({ update, by: source, page }),
    endUpdate: () => list.set({ update: null, by: null, page }),
    removed: deletedDocument,
    remove: setDeletedDocument,
    exported: exportedDocument,
    exportOf: setExportedDocument,
    /** Whose metadata is edited. */
    described: describedDocument,
    describe: setDescribedDocument,
    problem,
    refuse: setProblem,
  }
}
export type DocumentDialogsState = ReturnType<typeof useDocumentDialogs>
