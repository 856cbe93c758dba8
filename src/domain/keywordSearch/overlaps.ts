/** Characters that two segments must have in common, at the end of one and the beginning of the other, to overlap. */
const MIN_OVERLAP_CHARS = 20

/** The place of a segment, with its beginning and its end. */
export interface SegmentEdges {
  document_id: string
  position: number
  head: string
  tail: string
}

/** Whether one of two neighbours in a document ends with the beginning of the other. */
export function areOverlapping(one: SegmentEdges, other: SegmentEdges | undefined): boolean {
  if (!other || one.document_id !== other.document_id || Math.abs(one.position - other.position) !== 1) return false
  const [first, second] = one.position < other.position ? [one, other] : [other, one]
  return overlapLength(first.tail, second.head) >= MIN_OVERLAP_CHARS
}

/** Number of characters at the end of one text with which the other begins, ignoring blanks at the edges. */
export function overlapLength(first: string, second: string): number {
  const [end, beginning] = [first.trimEnd(), second.trimStart()]
  const key = beginning.slice(0, MIN_OVERLAP_CHARS)
  for (let at = end.indexOf(key); at !== -1 && key.length > 0; at = end.indexOf(key, at + 1))
    if (beginning.startsWith(end.slice(at))) return end.length - at
  return 0
}
