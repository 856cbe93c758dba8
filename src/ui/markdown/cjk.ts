import { element, type HastNode, partOf, replaceText, splitText, text, textOf } from './hast.ts'

const LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const WIDE = /[\u3000-\u303f\uff00-\uffef]/

/**
 * CommonMark and GFM were made for text with blanks between words. Two habits of Chinese, Japanese and Korean text go
 * wrong in them and are mended here: `**（注）**后文` is not bold, and `https://a.example。后文` is all one link.
 */
export const mendCjk = () => (tree: HastNode) => {
  replaceText(tree, (words) => splitText(words, /\*\*(?!\s)([^*]+?)(?<!\s)\*\*/g, (match) => strong(words, match)))
  trimLinks(tree)
}

function strong(words: HastNode, match: RegExpExecArray): HastNode | null {
  const { value = '' } = words
  const before = value[match.index - 1] ?? ''
  const after = value[match.index + match[0].length] ?? ''
  const beside = [before, after].some((char) => LETTER.test(char) || WIDE.test(char))
  return beside ? element('strong', [partOf(words, match.index + 2, match.index + match[0].length - 2)]) : null
}

function trimLinks(node: HastNode): void {
  node.children = node.children?.flatMap((child) => {
    if (child.tagName !== 'a') {
      trimLinks(child)
      return [child]
    }
    const shown = textOf(child)
    const end = shown.search(WIDE)
    if (end < 0 || !/^(?:https?:\/\/|www\.)/i.test(shown)) return [child]
    const url = shown.slice(0, end)
    const href = /^www\./i.test(url) ? `http://${url}` : url
    const words = child.children?.length === 1 ? child.children[0] : undefined
    const parts =
      words?.type === 'text' ? [partOf(words, 0, end), partOf(words, end)] : [text(url), text(shown.slice(end))]
    return [element('a', parts.slice(0, 1), { ...child.properties, href }), ...parts.slice(1)]
  })
}
