/** As much of the HTML tree (hast) as the plugins here touch. */
export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
}

export const text = (value: string): HastNode => ({ type: 'text', value })
export const element = (tagName: string, children: HastNode[], properties: Record<string, unknown> = {}): HastNode => ({
  type: 'element',
  tagName,
  properties,
  children,
})

export const textOf = (node: HastNode): string => node.value ?? (node.children ?? []).map(textOf).join('')

/** Turns raw HTML into the text that it is; the sanitizer would drop it, and a person should see what the model wrote. */
export const rawAsText = () => (tree: HastNode) => {
  for (const child of tree.children ?? []) {
    if (child.type === 'raw') child.type = 'text'
    rawAsText()(child)
  }
}

/** Replaces text outside links and code by what `replace` makes of it; null leaves it. */
export function replaceText(node: HastNode, replace: (value: string) => HastNode[] | null): void {
  if (!node.children || ['a', 'code', 'pre'].includes(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return replace(child.value ?? '') ?? [child]
    replaceText(child, replace)
    return [child]
  })
}

/** Splits a text at each match of a global pattern; null where there is none. */
export function splitText(
  value: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => HastNode | null,
): HastNode[] | null {
  const parts: HastNode[] = []
  let last = 0
  for (const match of value.matchAll(pattern)) {
    const node = replacement(match)
    if (!node) continue
    if (match.index > last) parts.push(text(value.slice(last, match.index)))
    parts.push(node)
    last = match.index + match[0].length
  }
  if (parts.length === 0) return null
  return last < value.length ? [...parts, text(value.slice(last))] : parts
}
