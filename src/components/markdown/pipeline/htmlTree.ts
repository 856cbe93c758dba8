/** As much of the HTML tree (hast) as the plugins here touch. */
export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
  position?: { start: { offset?: number }; end: { offset?: number } }
  /** Of a text: where each of its characters stands in the whole answer, or where the first does and the rest follow. */
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

/** A copy of the first nodes of a tree, in the order of the document. */
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

/** Where a character of a text stands in the whole answer. */
export const getSourceOffset = ({ sourceOffset }: HastNode, index: number): number | undefined =>
  typeof sourceOffset === 'number' ? sourceOffset + index : sourceOffset?.[index]

/** A part of a text, which knows where it stands. */
export function sliceTextNode(node: HastNode, from: number, to?: number): HastNode {
  const { value = '', sourceOffset } = node
  return textNode(
    value.slice(from, to),
    typeof sourceOffset === 'object' ? sourceOffset.slice(from, to) : getSourceOffset(node, from),
  )
}

/** Turns raw HTML into the text that it is; the sanitizer would drop it, and a person should see what the model wrote. */
export const rehypeRawAsText = () => (tree: HastNode) => {
  for (const child of tree.children ?? []) {
    if (child.type === 'raw') child.type = 'text'
    rehypeRawAsText()(child)
  }
}

/** Replaces text outside links and code by what `replace` makes of it; null leaves it. */
export function replaceText(node: HastNode, replace: (text: HastNode) => HastNode[] | null): void {
  if (!node.children || ['a', 'code', 'pre'].includes(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return replace(child) ?? [child]
    replaceText(child, replace)
    return [child]
  })
}

/** Splits a text at each match of a global pattern; null where there is none. */
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

/** What an element says of the places of its words, as attributes (`words.ts`). */
export const getAnchorAttributes = ({ properties }: HastNode) => ({
  'data-at': properties?.dataAt as number | undefined,
  'data-after': properties?.dataAfter as number | undefined,
})
