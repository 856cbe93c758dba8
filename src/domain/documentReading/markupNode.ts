/** A node of HTML or XML; `attrs` and `childNodes` as parse5 has them. */
export interface MarkupNode {
  nodeName: string
  value?: string
  childNodes?: MarkupNode[]
  attrs?: { name: string; value: string }[]
}

export const getAttribute = (node: MarkupNode | undefined, name: string): string | undefined =>
  node?.attrs?.find((attribute) => attribute.name === name)?.value

export const findChild = (node: MarkupNode | undefined, name: string): MarkupNode | undefined =>
  node?.childNodes?.find(({ nodeName }) => nodeName === name)

/** The value of a property of Word: the attribute `val` of a child. */
export const getVal = (node: MarkupNode | undefined, name: string): string | undefined =>
  getAttribute(findChild(node, name), 'val')

/** The nodes with these names inside a node, in order, but not inside one another. With an explicit stack. */
export function findNodes(node: MarkupNode | undefined, ...names: string[]): MarkupNode[] {
  const found: MarkupNode[] = []
  const stack = [...(node?.childNodes ?? [])].toReversed()
  for (let next = stack.pop(); next; next = stack.pop())
    if (names.includes(next.nodeName)) found.push(next)
    else for (const child of next.childNodes?.toReversed() ?? []) stack.push(child)
  return found
}

export const getText = (node: MarkupNode | undefined): string =>
  findNodes(node, '#text')
    .map(({ value }) => value)
    .join('')
