import { elementNode, type HastNode, sliceTextNode, textNode, getNodeText } from './htmlTree.ts'

const FULL_WIDTH_PATTERN = /[\u3000-\u303f\uff00-\uffef]/

/** GFM assumes a space behind an address: all of `https://a.example。后文` would be one link. */
export const rehypeTrimAutolinks = () => trimAutolinks

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
