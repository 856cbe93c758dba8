import type { Extension as TreeExtension } from 'mdast-util-from-markdown'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import type { Extension } from 'micromark-util-types'
import type ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { rehypeCitations, rehypeCaret } from './citationPlugin.ts'
import { emphasisSyntax } from './emphasisSyntax.ts'
import { formulaSyntax, formulaTree, rehypeFormulaFences } from './formulaSyntax.ts'
import { SANITIZE_SCHEMA } from './sanitizeSchema.ts'
import { elementNode, getNodeText, type HastNode, sliceTextNode, textNode } from './htmlTree.ts'
import { rehypeTags } from './tagPlugin.ts'
import { rehypeOffsetAttributes, rehypeHighlight, rehypeSourceOffsets, type TextHighlight } from '../textHighlight.ts'

type Options = Parameters<typeof ReactMarkdown>[0]
export type Plugins = NonNullable<Options['rehypePlugins']>

// `10~20` in Chinese text is a range: only two tildes strike through.
const STRIKETHROUGH = { singleTilde: false }

/** The syntax of a text. */
export const toRemarkPlugins = (text: string) =>
  [
    [remarkGfm, STRIKETHROUGH],
    [remarkAnswerSyntax, text],
  ] satisfies Options['remarkPlugins']

/** HTML is a part of paragraphs, so that markdown within tags counts and a blank line ends everything. */
function remarkAnswerSyntax(this: { data: () => object }, text: string): void {
  const data = this.data() as { micromarkExtensions?: Extension[]; fromMarkdownExtensions?: TreeExtension[] }
  ;(data.micromarkExtensions ??= []).push(
    emphasisSyntax(),
    gfmStrikethroughCjkFriendly(STRIKETHROUGH),
    formulaSyntax(text),
    { disable: { null: ['htmlFlow'] } },
  )
  ;(data.fromMarkdownExtensions ??= []).push(formulaTree)
}

/** From the parser's output to a sanitized tree with source offsets. Nodes added after sanitizing are our own. */
export const toSafeTree = (text: string, start: number): Plugins => [
  rehypeTags,
  [rehypeSanitize, SANITIZE_SCHEMA],
  rehypeSourceOffsets(text, start),
  rehypeFormulaFences(text),
  rehypeTrimAutolinks,
  rehypeDirection,
  rehypeCitations,
]

const DIRECTED_ELEMENTS = new Set(['blockquote', 'ol', 'table', 'ul'])
const RTL_PATTERN = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u
const MAX_LEADING_CHARS = 100

/** Markers of lists, the bar of a quotation and the columns of a table are placed at their first letter. */
const rehypeDirection = () => (tree: HastNode) => {
  for (const child of tree.children ?? []) {
    if (DIRECTED_ELEMENTS.has(child.tagName ?? ''))
      child.properties = { ...child.properties, dir: RTL_PATTERN.test(readLeadingText(child)) ? 'rtl' : 'ltr' }
    rehypeDirection()(child)
  }
}

function readLeadingText({ value = '', children = [] }: HastNode): string {
  let text = value.slice(0, MAX_LEADING_CHARS)
  for (const child of children) {
    if (text.length >= MAX_LEADING_CHARS) break
    text += readLeadingText(child)
  }
  return text
}

/** The parts that change without the text: highlight, anchors and end marker. `end` is the end of the block. */
export const toMarkedTree = (mark: TextHighlight | null, end: number, isMarked: boolean): Plugins => [
  ...(mark ? [rehypeHighlight(mark, end)] : []),
  rehypeOffsetAttributes,
  ...(isMarked ? [rehypeCaret] : []),
]

const FULL_WIDTH_PATTERN = /[\u3000-\u303f\uff00-\uffef]/

/** GFM assumes a space after a URL: all of `https://a.example。后文` would be one link. */
const rehypeTrimAutolinks = () => trimAutolinks

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
