/** Where the drafts of segments and child chunks lie in session storage; the id of the segment follows. */
const SEGMENT_DRAFT_PATTERN = /^loupe\.(?:segment-edit|child)\.([^.]+)/
/** Drafts of a document's own forms. */
const DOCUMENT_DRAFT_PATTERN = /^loupe\.draft\.document\.(?:file\.)?([^.]+)$/
const getParentKey = (segment_id: string) => `loupe.segment-document.${segment_id}`

/** Notes the document of a segment that is being edited: drafts are stored by the segment's id alone. */
export function noteDocumentOfSegment(segment_id: string, document_id: string): void {
  try {
    sessionStorage.setItem(getParentKey(segment_id), document_id)
  } catch {
    // A full storage has no room for the draft either, and the editor says so.
  }
}

/** The documents with unsaved edits in this tab: of their own text, of their segments or of child chunks. */
export function listDraftDocuments(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [key, value] of Object.entries({ ...sessionStorage })) {
    if (value === null || value === 'null') continue
    const segment_id = SEGMENT_DRAFT_PATTERN.exec(key)?.[1]
    const document_id = segment_id
      ? sessionStorage.getItem(getParentKey(segment_id))
      : DOCUMENT_DRAFT_PATTERN.exec(key)?.[1]
    if (document_id) found.add(document_id)
  }
  return found
}
