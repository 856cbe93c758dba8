import {
  elementNode,
  type HastNode,
  sliceTextNode,
  replaceText,
  splitTextNode,
  textNode,
  getNodeText,
} from './htmlTree.ts'

const CJK_LETTER_PATTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const FULL_WIDTH_PATTERN = /[\u3000-\u303f\uff00-\uffef]/

/**
 * CommonMark and GFM assume spaces between words. This corrects two failures with Chinese, Japanese and Korean text:
 * `**（注）**后文` is not bold, and all of `https://a.example。后文` is one link.
 */
export const rehypeFixCjk = () => (tree: HastNode) => {
  replaceText(tree, (words) =>
    splitTextNode(words, /\*\*(?!\s)([^*]+?)(?<!\s)\*\*/g, (match) => toStrongElement(words, match)),
  )
  trimAutolinks(tree)
}

function toStrongElement(words: HastNode, match: RegExpExecArray): HastNode | null {
  const { value = '' } = words
  const before = value[match.index - 1] ?? ''
  const after = value[match.index + match[0].length] ?? ''
  const beside = [before, after].some((char) => CJK_LETTER_PATTERN.test(char) || FULL_WIDTH_PATTERN.test(char))
  return beside
    ? elementNode('strong', [sliceTextNode(words, match.index + 2, match.index + match[0].length - 2)])
    : null
}

function trimAutolinks(node: HastNode): void {
  node.children = node.children?.flatMap((child) => {
    if (child.tagName !== 'a') {
      trimAutolinks(child)
      return [child]
    }
    const shown = getNodeText(child)
    const end = shown.search(FULL_WIDTH_PATTERN)
    if (end < 0 || !/^(?:https?:\/\/|www\.)/i.test(shown)) return [child]
    const url = shown.slice(0, end)
    const href = /^www\./i.test(url) ? `http://${url}` : url
    const words = child.children?.length === 1 ? child.children[0] : undefined
    const parts =
      words?.type === 'text'
        ? [sliceTextNode(words, 0, end), sliceTextNode(words, end)]
        : [textNode(url), textNode(shown.slice(end))]
    return [elementNode('a', parts.slice(0, 1), { ...child.properties, href }), ...parts.slice(1)]
  })
}
