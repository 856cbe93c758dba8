/** The offset in the answer of a rendered character, from the attributes of `rehypeOffsetAttributes`; null without them. */
export function findTextOffset(node: Node, index: number): number | null {
  const from = node instanceof Element ? node : node.parentElement
  const home = from?.closest<HTMLElement>('[data-at]')
  if (!home) return null
  // A rendered formula has other characters than its source.
  if (home.dataset.formula === 'rendered') return Number(home.dataset.at)
  const range = document.createRange()
  range.setStart(home, 0)
  let at = Number(home.dataset.at)
  for (const passed of home.children) {
    if (!(passed.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) || passed.contains(node)) break
    const end = passed.getAttribute('data-after')
    if (end === null) continue
    at = Number(end)
    range.setStartAfter(passed)
  }
  range.setEnd(node, index)
  return at + range.toString().length
}

/** The offset in the answer at a point of the viewport. */
export function findTextOffsetAtPoint(x: number, y: number): number | null {
  if ('caretPositionFromPoint' in document) {
    const caret = document.caretPositionFromPoint(x, y)
    return caret && findTextOffset(caret.offsetNode, caret.offset)
  }
  // Older WebKit browsers support only this one.
  const range = (document as Document).caretRangeFromPoint(x, y)
  return range && findTextOffset(range.startContainer, range.startOffset)
}
