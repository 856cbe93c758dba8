import { useRef, useState } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'

/** The selected documents of a list, also of other pages; with the newest records of those shown. */
export function useDocumentSelection(page: readonly DocumentRecord[] | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<string, DocumentRecord>>(new Map())
  /** The document that was selected last: a range begins at it. */
  const anchor = useRef<string | null>(null)
  const shown = new Map(page?.map((document) => [document.id, document]))
  // From the newest state and anchor: a row may be rendered with older ones.
  const toggle = (document: DocumentRecord, { isRange = false } = {}) => {
    const from = anchor.current
    anchor.current = document.id
    setSelected((all) => {
      const next = new Map(all)
      if (isRange) for (const one of findRange(page ?? [], from, document.id)) next.set(one.id, one)
      else if (!next.delete(document.id)) next.set(document.id, document)
      return next
    })
  }
  const selectedOnPage = [...shown.keys()].filter((id) => selected.has(id)).length
  return {
    documents: [...selected.values()].map((document) => shown.get(document.id) ?? document),
    isSelected: ({ id }: DocumentRecord) => selected.has(id),
    /** Of the page: all, some or none of its documents are selected. */
    pageState:
      selectedOnPage === 0 ? ('none' as const) : selectedOnPage < shown.size ? ('some' as const) : ('all' as const),
    unselectedCount: shown.size - selectedOnPage,
    toggle,
    togglePage: () =>
      setSelected((all) =>
        selectedOnPage === shown.size
          ? new Map([...all].filter(([id]) => !shown.has(id)))
          : new Map([...all, ...shown]),
      ),
    select: (documents: readonly DocumentRecord[]) =>
      setSelected(new Map(documents.map((document) => [document.id, document]))),
    remove: (id: string) => setSelected((all) => new Map([...all].filter(([one]) => one !== id))),
    clear: () => setSelected(new Map()),
  }
}
export type DocumentSelection = ReturnType<typeof useDocumentSelection>

/** From the anchor to a document, in the order of the page; only the document if the anchor is not on the page. */
function findRange(page: readonly DocumentRecord[], anchor: string | null, id: string): readonly DocumentRecord[] {
  const to = page.findIndex((document) => document.id === id)
  const from = page.findIndex((document) => document.id === anchor)
  return page.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1)
}
