import { elementNode, type HastNode, sliceTextNode, replaceText, splitTextNode } from './htmlTree.ts'

/** Turns `[1]` or `[1][2]` in an answer into a span that renders as a citation chip, on the line of the word before it. */
export const rehypeCitations = () => (tree: HastNode) =>
  replaceText(tree, (words) => {
    const parts = splitTextNode(words, /\[(\d{1,3})\]/g, (match) =>
      elementNode('span', [sliceTextNode(words, match.index, match.index + match[0].length)], {
        dataCitation: Number(match[1]),
      }),
    )
    return parts && keepTogether(parts)
  })

/** The end of a text that stays on a line with what follows: a word that is not too long, or one Chinese character. */
const LAST_WORD_PATTERN = /(?:[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,24}|\S) ?$/u

/** Wraps each run of citations with the word before it. */
function keepTogether(parts: readonly HastNode[]): HastNode[] {
  const joined: HastNode[] = []
  let group: HastNode | null = null
  for (const part of parts) {
    if (part.type === 'text') {
      joined.push(part)
      group = null
      continue
    }
    if (!group) {
      const words = joined.at(-1)
      const at = words?.value?.search(LAST_WORD_PATTERN) ?? -1
      group = elementNode('span', [], { dataTogether: true })
      if (words && at >= 0) {
        joined.pop()
        if (at > 0) joined.push(sliceTextNode(words, 0, at))
        group.children?.push(sliceTextNode(words, at))
      }
      joined.push(group)
    }
    group.children?.push(part)
  }
  return joined
}

/** Inserts a marker at the end of the text, inside the last line, so that a caret follows the last word. */
export const rehypeCaret = () => (tree: HastNode) => {
  let place = tree
  for (
    let next = findLastContainer(place);
    next && CARET_CONTAINERS.has(next.tagName ?? '');
    next = findLastContainer(next)
  )
    place = next
  // The parser adds a newline to an open code block.
  const words = place.tagName === 'code' ? place.children?.at(-1) : undefined
  if (words?.value) words.value = words.value.replace(/\n$/, '')
  place.children?.push(elementNode('span', [], { dataEnd: true }))
}

const CARET_CONTAINERS = new Set(
  'p ul ol li blockquote details h1 h2 h3 h4 h5 h6 pre code table thead tbody tr td th strong em del mark'.split(' '),
)

function findLastContainer(node: HastNode): HastNode | undefined {
  const solid = node.children?.filter((child) => child.type !== 'text' || child.value?.trim() !== '')
  return solid?.at(-1)
}
