/** The subset of hast (the HTML syntax tree) that these plugins use. */
export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
  position?: { start: { offset?: number }; end: { offset?: number } }
  /** For a text node: the offset of each character in the answer, or of the first if the rest follow. */
  sourceOffset?: number | readonly number[]
}

export const textNode = (value: string, at?: HastNode['sourceOffset']): HastNode =>
  at === undefined ? { type: 'text', value } : { type: 'text', value, sourceOffset: at }
export const elementNode = (
  tagName: string,
  children: HastNode[],
  properties: Record<string, unknown> = {},
): HastNode => ({
  type: 'element',
  tagName,
  properties,
  children,
})

export const getNodeText = (node: HastNode): string => node.value ?? (node.children ?? []).map(getNodeText).join('')

/** A copy of the first nodes of a tree, in document order. */
export function firstNodes(tree: HastNode, count: number): HastNode {
  let left = count
  const copy = (node: HastNode): HastNode => {
    left--
    const children: HastNode[] = []
    for (const child of node.children ?? []) {
      if (left <= 0) break
      children.push(copy(child))
    }
    return {
      ...node,
      ...(node.properties ? { properties: { ...node.properties } } : {}),
      ...(node.children ? { children } : {}),
    }
  }
  return copy(tree)
}

/** The offset in the answer of a character of a text node. */
export const getSourceOffset = ({ sourceOffset }: HastNode, index: number): number | undefined =>
  typeof sourceOffset === 'number' ? sourceOffset + index : sourceOffset?.[index]

/** A slice of a text node, with its source offset. */
export function sliceTextNode(node: HastNode, from: number, to?: number): HastNode {
  const { value = '', sourceOffset } = node
  return textNode(
    value.slice(from, to),
    typeof sourceOffset === 'object' ? sourceOffset.slice(from, to) : getSourceOffset(node, from),
  )
}

/** Replaces text outside links, code and formulas with the result of `replace`; null keeps it. */
export function replaceText(node: HastNode, replace: (text: HastNode) => HastNode[] | null): void {
  if (!node.children || ['a', 'code', 'pre'].includes(node.tagName ?? '')) return
  if (node.properties?.dataFormula !== undefined) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return replace(child) ?? [child]
    replaceText(child, replace)
    return [child]
  })
}

/** Splits a text at each match of a global pattern; null without a match. */
export function splitTextNode(
  node: HastNode,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => HastNode | null,
): HastNode[] | null {
  const parts: HastNode[] = []
  const { value = '' } = node
  let last = 0
  for (const match of value.matchAll(pattern)) {
    const replaced = replacement(match)
    if (!replaced) continue
    if (match.index > last) parts.push(sliceTextNode(node, last, match.index))
    parts.push(replaced)
    last = match.index + match[0].length
  }
  if (parts.length === 0) return null
  return last < value.length ? [...parts, sliceTextNode(node, last)] : parts
}

/** The source offsets of an element, as attributes. */
export const getAnchorAttributes = ({ properties }: HastNode) => ({
  'data-at': properties?.dataAt as number | undefined,
  'data-after': properties?.dataAfter as number | undefined,
})
