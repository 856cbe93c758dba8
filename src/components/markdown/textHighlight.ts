import type { TextBlock } from './blocks/markdownBlocks.ts'
import { type EscapedText, toOriginalOffset } from './pipeline/escapeMath.ts'
import { elementNode, type HastNode, sliceTextNode, getSourceOffset } from './pipeline/htmlTree.ts'

/** A highlighted range of the answer: offsets in its text, and the number shown after it. */
export interface TextHighlight {
  seq: number
  from: number
  to: number
}

/** The highlight, if it may overlap one of these consecutive blocks. */
export function clipHighlight(blocks: readonly TextBlock[], mark: TextHighlight | null): TextHighlight | null {
  const last = blocks.at(-1)
  if (!mark || !last || mark.from >= last.start + last.text.length || mark.to <= (blocks[0]?.start ?? 0)) return null
  return mark
}

/**
 * Sets the source offset of each text node. `start` is the offset of the block in the answer, `source` the parsed
 * text.
 */
export const rehypeSourceOffsets = (source: EscapedText, start: number) => () => (tree: HastNode) =>
  setSourceOffsets(tree, source, start, tree)

function setSourceOffsets(node: HastNode, source: EscapedText, start: number, parent: HastNode): void {
  for (const child of node.children ?? []) setSourceOffsets(child, source, start, node)
  const value = node.value
  if (node.type !== 'text' || value === undefined) return
  // The text of a code block has no position of its own.
  const { start: begin, end } = node.position ?? (parent.tagName === 'code' ? parent.position : undefined) ?? {}
  if (begin?.offset === undefined || end?.offset === undefined) return
  const own = source.text.slice(begin.offset, end.offset)
  const verbatim = own.indexOf(value.replace(/\n$/, ''))
  const first = begin.offset
  const answerAt = (at: number) => start + toOriginalOffset(source.added, first + at)
  node.sourceOffset = verbatim >= 0 ? answerAt(verbatim) : alignOffsets(value, own).map(answerAt)
}

/** Maximum characters skipped between two: an entity, or the quotation markers of a line. */
const MAX_LEFT_OUT = 256

/** If the parser removed characters (escapes, quotation markers), maps each character to its next occurrence. */
function alignOffsets(value: string, source: string): number[] {
  let next = 0
  return Array.from({ length: value.length }, (_, index) => {
    const found = source.slice(next, next + MAX_LEFT_OUT).indexOf(value.charAt(index))
    const at = found < 0 ? next : next + found
    if (found >= 0) next = at + 1
    return at
  })
}

/** Highlights the text between two offsets, in a block that ends at `end`. Markup is not highlighted. */
export const rehypeHighlight =
  ({ from, to, seq }: TextHighlight, end: number) =>
  () =>
  (tree: HastNode) => {
    const marks: HastNode[] = []
    highlightNode(tree, from, to, marks)
    marks.forEach(({ properties = {} }, index) => {
      properties.dataFrame = seq
      if (index === 0) properties.dataFirst = true
      if (index === marks.length - 1 && to <= end) properties.dataLast = true
    })
  }

function highlightNode(node: HastNode, from: number, to: number, marks: HastNode[]): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type !== 'text' || child.sourceOffset === undefined) {
      highlightNode(child, from, to, marks)
      return [child]
    }
    const length = child.value?.length ?? 0
    let first = 0
    while (first < length && (getSourceOffset(child, first) ?? 0) < from) first++
    let last = first
    while (last < length && (getSourceOffset(child, last) ?? 0) < to) last++
    if (last === first) return [child]
    const marked = elementNode('mark', [sliceTextNode(child, first, last)])
    marks.push(marked)
    return [
      ...(first > 0 ? [sliceTextNode(child, 0, first)] : []),
      marked,
      ...(last < length ? [sliceTextNode(child, last)] : []),
    ]
  })
}

/** Adds source offsets to the DOM, so that a position under the pointer maps to the text (`offset.ts`). */
export const rehypeOffsetAttributes = () => (tree: HastNode) => setOffsetAttributes(tree)

function setOffsetAttributes(node: HastNode): void {
  const children = node.children ?? []
  children.forEach((child, index) => {
    setOffsetAttributes(child)
    const at = child.type === 'text' ? getSourceOffset(child, 0) : undefined
    const before = children[index - 1]
    const holder = index === 0 ? node : before
    if (at === undefined || holder?.type !== 'element') return
    holder.properties = { ...holder.properties, [index === 0 ? 'dataAt' : 'dataAfter']: at }
  })
}
