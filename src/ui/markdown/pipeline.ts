import type ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { mendCjk } from './cjk.ts'
import { rawAsText } from './hast.ts'
import { markCitations, markEnd } from './marks.ts'
import type { Kept } from './math.ts'
import { SAFE } from './safe.ts'
import { anchorWords, markWords, placeWords, type WordMark } from './words.ts'

type Options = Parameters<typeof ReactMarkdown>[0]
export type Plugins = NonNullable<Options['rehypePlugins']>

// `10~20` in Chinese text is a range: only two tildes strike through.
export const REMARK = [[remarkGfm, { singleTilde: false }]] satisfies Options['remarkPlugins']

/** From what the parser makes of a block to a safe tree that knows where its words stand. What is added after sanitizing is our own. */
export const toSafeTree = (kept: Kept, start: number): Plugins => [
  rawAsText,
  [rehypeSanitize, SAFE],
  placeWords(kept, start),
  mendCjk,
  markCitations,
]

/** What changes without the text: the marker, the anchors around it, and the end mark. `end` is where the block ends. */
export const toMarkedTree = (mark: WordMark | null, end: number, isMarked: boolean): Plugins => [
  ...(mark ? [markWords(mark, end)] : []),
  anchorWords,
  ...(isMarked ? [markEnd] : []),
]
