import type { TextBlock } from './blocks/markdownBlocks.ts'
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

/** Sets the source offset of each text node of a block that begins at `start` in the answer. */
export const rehypeSourceOffsets = (source: string, start: number) => () => (tree: HastNode) =>
  setSourceOffsets(tree, source, start, tree)

function setSourceOffsets(node: HastNode, source: string, start: number, parent: HastNode): void {
  for (const child of node.children ?? []) setSourceOffsets(child, source, start, node)
  const value = node.value
  if (node.type !== 'text' || value === undefined) return
  // The text of a code block has no position of its own.
  const { start: begin, end } = node.position ?? (parent.tagName === 'code' ? parent.position : undefined) ?? {}
  if (begin?.offset === undefined || end?.offset === undefined) return
  const own = source.slice(begin.offset, end.offset)
  const verbatim = own.indexOf(value.replace(/\n$/, ''))
  const first = start + begin.offset
  const answerAt = (at: number) => first + at
  node.sourceOffset =
    verbatim >= 0 ? answerAt(verbatim) : alignOffsets(value, own, parent.tagName !== 'code').map(answerAt)
}

/** Maximum characters skipped between two: the quotation markers of a line. */
const MAX_SKIPPED = 256
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy
const AMPERSAND_PATTERN = /^&(?:amp|#0*38|#x0*26);$/i

/** If the parser removed characters (escapes, entities, quotation markers), maps each character to its next occurrence. */
function alignOffsets(value: string, source: string, hasEntities: boolean): number[] {
  let next = 0
  return Array.from({ length: value.length }, (_, index) => {
    const char = value.charAt(index)
    for (let at = next; at < Math.min(next + MAX_SKIPPED, source.length); at++) {
      ENTITY.lastIndex = at
      const entity = hasEntities && source.charAt(at) === '&' ? ENTITY.exec(source)?.[0] : undefined
      if (entity && (char !== '&' || AMPERSAND_PATTERN.test(entity))) {
        next = at + entity.length
        return at
      }
      if (source.charAt(at) === char) {
        next = at + 1
        return at
      }
    }
    return next
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

/** The characters of a text that follow one another in the answer, too; all but the first run in an element. */
function splitAtGaps(node: HastNode): HastNode[] {
  const { value = '', sourceOffset } = node
  if (typeof sourceOffset !== 'object') return [node]
  const gaps = sourceOffset.flatMap((at, index) =>
    index > 0 && at !== (sourceOffset[index - 1] ?? 0) + 1 ? [index] : [],
  )
  return [0, ...gaps].map((from, index) => {
    const run = sliceTextNode(node, from, gaps[index] ?? value.length)
    return index === 0 ? run : elementNode('span', [run], { dataPiece: true })
  })
}

/** Adds source offsets to the DOM, so that a position under the pointer maps to the text (`offset.ts`). */
export const rehypeOffsetAttributes = () => (tree: HastNode) => setOffsetAttributes(tree)

function setOffsetAttributes(node: HastNode): void {
  const children = node.children?.flatMap(splitAtGaps) ?? []
  if (node.children) node.children = children
  children.forEach((child, index) => {
    setOffsetAttributes(child)
    const at = child.type === 'text' ? getSourceOffset(child, 0) : undefined
    const before = children[index - 1]
    if (at === undefined) return
    if (node.type === 'element') node.properties = { dataAt: at, ...node.properties }
    if (before?.type === 'element') before.properties = { ...before.properties, dataAfter: at }
  })
}
