import { toFoldKind } from '../blocks/foldTags.ts'
import { elementNode, type HastNode, getNodeText } from './htmlTree.ts'

/** HTML tags that become elements without attributes. All others are shown as the text that they are. */
const INLINE_ELEMENTS = new Map(
  Object.entries({
    b: 'strong',
    code: 'code',
    del: 'del',
    em: 'em',
    i: 'em',
    ins: 'ins',
    kbd: 'kbd',
    s: 'del',
    strike: 'del',
    strong: 'strong',
    sub: 'sub',
    sup: 'sup',
    u: 'u',
  }),
)
const TAG_PATTERN = /^<(\/?)([a-z]+)(?:[\s/][^]*)?>$/i
/** Elements whose children are blocks and may contain a fold. */
const CONTAINERS = new Set(['root', 'blockquote', 'li', 'td', 'th', 'details'])
/** More tags within one another stay text. */
const MAX_FOLD_DEPTH = 8
const MAX_INLINE_DEPTH = 32

interface Tag {
  name: string
  isClosing: boolean
}

/** Makes elements of the tags of a fixed list, and text of all other HTML. */
export const rehypeTags = () => (tree: HastNode) => {
  nestFolds(tree)
  foldUnclosed(tree)
  nestInline(tree)
}

function readTag(node: HastNode): Tag | null {
  const found = node.type === 'raw' ? TAG_PATTERN.exec(node.value ?? '') : null
  if (!found) return null
  const name = (found[2] ?? '').toLowerCase()
  return { name: toFoldKind(name) ?? name, isClosing: found[1] === '/' }
}

const isFoldTag = ({ name }: Tag): boolean => name === 'thought' || name === 'details' || name === 'summary'
const isContainer = ({ type, tagName }: HastNode): boolean => CONTAINERS.has(tagName ?? type)

/** Folds may begin and end in different paragraphs, or in emphasis, and end in an inner list: these are split there. */
function nestFolds(node: HastNode): void {
  node.children?.forEach(nestFolds)
  if (!isContainer(node)) return
  const own = new Set(listFoldTags(node, isContainer).map((tag) => tag.node))
  buildFolds(node, pairFolds(listFoldTags(node).filter((tag) => tag.isClosing || own.has(tag.node))))
}

/** A tag at the edge of a line that nothing closes folds the rest of its container. */
function foldUnclosed(node: HastNode): void {
  node.children?.forEach(foldUnclosed)
  const unclosed = isContainer(node)
    ? listFoldTags(node, isContainer).find(
        ({ name, isClosing, isAtEdge }) => isAtEdge && !isClosing && name !== 'summary',
      )
    : undefined
  if (unclosed) buildFolds(node, new Map([[unclosed.node, null]]))
}

interface FoldTag extends Tag {
  node: HastNode
  /** It ends its line, or begins it before a word. */
  isAtEdge: boolean
}

const isTable = ({ tagName }: HastNode): boolean => tagName === 'table'

function listFoldTags(parent: HastNode, isOpaque = isTable): FoldTag[] {
  const children = parent.children ?? []
  return children.flatMap((node, index) => {
    const tag = readTag(node)
    if (!tag || !isFoldTag(tag)) return isOpaque(node) ? [] : listFoldTags(node, isOpaque)
    const [before, after] = [children[index - 1], children[index + 1]]
    const isFirst = !before || /\n\s*$/.test(getNodeText(before))
    const isLast = !after || /^\s*\n/.test(getNodeText(after))
    return [{ ...tag, node, isAtEdge: isLast || (isFirst && !/^\s/.test(getNodeText(after))) }]
  })
}

/** The end of each fold: its closing tag, or null for the end of the container. */
type FoldEnds = ReadonlyMap<HastNode, HastNode | null>

/** Tags without another stay text. */
function pairFolds(tags: readonly FoldTag[]): FoldEnds {
  const ends = new Map<HastNode, HastNode>()
  const open: FoldTag[] = []
  for (const tag of tags) {
    if (tag.isClosing) {
      const index = open.findLastIndex(({ name }) => name === tag.name)
      if (index < 0) continue
      ends.set((open[index] as FoldTag).node, tag.node)
      open.length = index
    } else if (open.length < MAX_FOLD_DEPTH && (tag.name !== 'summary' || open.at(-1)?.name === 'details'))
      open.push(tag)
  }
  return ends
}

function buildFolds(container: HastNode, ends: FoldEnds): void {
  if (ends.size === 0) return
  const tags = new Set([...ends.keys(), ...ends.values()])
  const root: HastNode[] = []
  const open: { children: HastNode[]; end: HastNode | null }[] = [{ children: root, end: null }]
  for (const node of (container.children ?? []).flatMap((child) => split(child, tags))) {
    const place = open.at(-1)
    const end = ends.get(node)
    if (end !== undefined) {
      const fold = toFoldElement(node)
      place?.children.push(fold)
      open.push({ children: fold.children ?? [], end })
    } else if (place?.end === node) open.pop()
    else place?.children.push(node)
  }
  container.children = root
}

/** Splits an element at the tags of folds, so that these become its siblings. */
function split(node: HastNode, tags: ReadonlySet<HastNode | null>): HastNode[] {
  const children = node.children?.flatMap((child) => split(child, tags)) ?? []
  if (!children.some((child) => tags.has(child))) return [node]
  const pieces: HastNode[] = []
  let piece: HastNode | null = null
  for (const child of children) {
    if (tags.has(child)) {
      pieces.push(child)
      piece = null
    } else if (piece) piece.children?.push(child)
    else if (child.type !== 'text' || child.value?.trim()) pieces.push((piece = { ...node, children: [child] }))
  }
  return pieces
}

function toFoldElement(node: HastNode): HastNode {
  const tag = readTag(node)
  if (tag?.name === 'summary') return elementNode('summary', [])
  return elementNode(
    'details',
    [],
    tag?.name === 'thought' ? { dataThought: true } : { open: /\sopen/i.test(node.value ?? '') },
  )
}

/** Elements of tags that have the same parent; a break has no closing tag. */
function nestInline(parent: HastNode): void {
  const nested: HastNode[] = []
  const open: { name: string; at: number }[] = []
  for (const child of parent.children ?? []) {
    nestInline(child)
    const tag = readTag(child)
    const element = tag ? INLINE_ELEMENTS.get(tag.name) : undefined
    const index = tag?.isClosing ? open.findLastIndex(({ name }) => name === tag.name) : -1
    if (tag?.name === 'br') nested.push(elementNode('br', []))
    else if (element && index >= 0) {
      const at = open[index]?.at ?? 0
      nested[at] = elementNode(element, nested.splice(at + 1))
      open.length = index
    } else {
      if (tag && element && !tag.isClosing && open.length < MAX_INLINE_DEPTH)
        open.push({ name: tag.name, at: nested.length })
      nested.push(child.type === 'raw' ? { ...child, type: 'text' } : child)
    }
  }
  if (parent.children) parent.children = nested
}
