import { element, type HastNode, partOf, replaceText, splitText } from './hast.ts'

/** `[1]` or `[1][2]` in an answer: a span that the citation chip is drawn for. */
export const markCitations = () => (tree: HastNode) =>
  replaceText(tree, (words) =>
    splitText(words, /\[(\d{1,3})\]/g, (match) =>
      element('span', [partOf(words, match.index, match.index + match[0].length)], { dataCitation: Number(match[1]) }),
    ),
  )

/** Puts a mark where the text ends, inside the last line, so that a caret stands behind the last word. */
export const markEnd = () => (tree: HastNode) => {
  let place = tree
  for (let next = last(place); next && HOLDS.has(next.tagName ?? ''); next = last(next)) place = next
  // An open code block ends with a line end that nobody wrote.
  const words = place.tagName === 'code' ? place.children?.at(-1) : undefined
  if (words?.value) words.value = words.value.replace(/\n$/, '')
  place.children?.push(element('span', [], { dataEnd: true }))
}

const HOLDS = new Set(
  'p ul ol li blockquote h1 h2 h3 h4 h5 h6 pre code table thead tbody tr td th strong em del mark'.split(' '),
)

function last(node: HastNode): HastNode | undefined {
  const solid = node.children?.filter((child) => child.type !== 'text' || child.value?.trim() !== '')
  return solid?.at(-1)
}
