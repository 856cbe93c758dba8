import { useState } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'

/**
 * What lies over the list of documents. Adding, renaming and the update of a document have a URL of their own: `?add=file`,
 * `?rename=<id>`, `?update=<id>&by=file`.
 */
export function useDocumentDialogs() {
  const list = useSearchParamState()
  const [deletedDocuments, setDeletedDocuments] = useState<readonly DocumentRecord[] | null>(null)
  /** Of which the chunks are exported; null for all that the filter finds, undefined where nothing is. */
  const [exportedDocuments, setExportedDocuments] = useState<readonly DocumentRecord[] | null | undefined>(undefined)
  const [describedDocuments, setDescribedDocuments] = useState<readonly DocumentRecord[] | null>(null)
  return {
    isAdding: list.get('add') !== undefined,
    addBy: list.get('add') === 'text' ? ('text' as const) : ('file' as const),
    /** The setting of the chunk lab to begin with, as its URL has it. */
    addSetting: list.get('setting'),
    add: (add: 'text' | 'file') => list.set({ add }),
    close: () => list.set({ add: null, setting: null }),
    updated: list.get('update') ?? null,
    by: list.get('by') === 'file' ? ('file' as const) : ('text' as const),
    update: (update: string, source: 'text' | 'file') => list.set({ update, by: source }),
    endUpdate: () => list.set({ update: null, by: null }),
    /** Whose name is a field. */
    renamed: list.get('rename') ?? null,
    rename: (rename: string) => list.set({ rename }),
    removed: deletedDocuments,
    remove: setDeletedDocuments,
    exported: exportedDocuments,
    exportOf: setExportedDocuments,
    /** Whose metadata is edited. */
    described: describedDocuments,
    describe: setDescribedDocuments,
  }
}
export type DocumentDialogsState = ReturnType<typeof useDocumentDialogs>
