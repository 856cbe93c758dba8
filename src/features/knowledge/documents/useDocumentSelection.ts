import { useState } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'

/** The selected documents of a list, also of pages that are no longer shown; the newest records of those that are. */
export function useDocumentSelection(page: readonly DocumentRecord[] | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<string, DocumentRecord>>(new Map())
  const shown = new Map(page?.map((document) => [document.id, document]))
  // From the newest state: a row may be drawn with an older one.
  const toggle = (document: DocumentRecord) =>
    setSelected((all) => {
      const next = new Map(all)
      if (!next.delete(document.id)) next.set(document.id, document)
      return next
    })
  return {
    documents: [...selected.values()].map((document) => shown.get(document.id) ?? document),
    isSelected: ({ id }: DocumentRecord) => selected.has(id),
    unselectedCount: [...shown.keys()].filter((id) => !selected.has(id)).length,
    toggle,
    selectPage: () => setSelected((all) => new Map([...all, ...shown])),
    clear: () => setSelected(new Map()),
  }
}
export type DocumentSelection = ReturnType<typeof useDocumentSelection>
