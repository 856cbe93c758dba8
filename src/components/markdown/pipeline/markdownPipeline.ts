import type ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { rehypeFixCjk } from './cjkPlugin.ts'
import { rehypeRawAsText } from './htmlTree.ts'
import { rehypeCitations, rehypeCaret } from './citationPlugin.ts'
import type { EscapedText } from './escapeMath.ts'
import { rehypeFormulas } from './formulaPlugin.ts'
import { SANITIZE_SCHEMA } from './sanitizeSchema.ts'
import { rehypeOffsetAttributes, rehypeHighlight, rehypeSourceOffsets, type TextHighlight } from '../textHighlight.ts'

type Options = Parameters<typeof ReactMarkdown>[0]
export type Plugins = NonNullable<Options['rehypePlugins']>

// `10~20` in Chinese text is a range: only two tildes strike through.
export const REMARK = [[remarkGfm, { singleTilde: false }]] satisfies Options['remarkPlugins']

/** From the parser's output to a sanitized tree with source offsets. Nodes added after sanitizing are our own. */
export const toSafeTree = (kept: EscapedText, start: number): Plugins => [
  rehypeRawAsText,
  [rehypeSanitize, SANITIZE_SCHEMA],
  rehypeSourceOffsets(kept, start),
  rehypeFormulas(kept, start),
  rehypeFixCjk,
  rehypeCitations,
]

/** The parts that change without the text: highlight, anchors and end marker. `end` is the end of the block. */
export const toMarkedTree = (mark: TextHighlight | null, end: number, isMarked: boolean): Plugins => [
  ...(mark ? [rehypeHighlight(mark, end)] : []),
  rehypeOffsetAttributes,
  ...(isMarked ? [rehypeCaret] : []),
]
