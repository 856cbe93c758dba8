import type ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { rehypeFixCjk } from './cjkPlugin.ts'
import { rehypeRawAsText } from './htmlTree.ts'
import { rehypeCitations, rehypeCaret } from './citationPlugin.ts'
import type { EscapedText } from './escapeMath.ts'
import { SANITIZE_SCHEMA } from './sanitizeSchema.ts'
import { rehypeOffsetAttributes, rehypeHighlight, rehypeSourceOffsets, type TextHighlight } from '../textHighlight.ts'

type Options = Parameters<typeof ReactMarkdown>[0]
export type Plugins = NonNullable<Options['rehypePlugins']>

// `10~20` in Chinese text is a range: only two tildes strike through.
export const REMARK = [[remarkGfm, { singleTilde: false }]] satisfies Options['remarkPlugins']

/** From what the parser makes of a block to a safe tree that knows where its words stand. What is added after sanitizing is our own. */
export const toSafeTree = (kept: EscapedText, start: number): Plugins => [
  rehypeRawAsText,
  [rehypeSanitize, SANITIZE_SCHEMA],
  rehypeSourceOffsets(kept, start),
  rehypeFixCjk,
  rehypeCitations,
]

/** What changes without the text: the marker, the anchors around it, and the end mark. `end` is where the block ends. */
export const toMarkedTree = (mark: TextHighlight | null, end: number, isMarked: boolean): Plugins => [
  ...(mark ? [rehypeHighlight(mark, end)] : []),
  rehypeOffsetAttributes,
  ...(isMarked ? [rehypeCaret] : []),
]
