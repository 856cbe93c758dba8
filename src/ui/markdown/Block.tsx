import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import type { Block as TextBlock } from './blocks.ts'
import { mendCjk } from './cjk.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { Link } from './Link.tsx'
import { FrameMark } from './FrameMark.tsx'
import { Mark } from './Mark.tsx'
import { rawAsText } from './hast.ts'
import { markCitations, markEnd } from './marks.ts'
import { keepMath, type Kept } from './math.ts'
import { RemoteImage } from './RemoteImage.tsx'
import { SAFE } from './safe.ts'
import { Thought } from './Thought.tsx'
import { WideTable } from './WideTable.tsx'
import { anchorWords, markWords, placeWords, type WordMark } from './words.ts'

// `10~20` in Chinese text is a range: only two tildes strike through.
const REMARK = [[remarkGfm, { singleTilde: false }]] satisfies Parameters<typeof ReactMarkdown>[0]['remarkPlugins']
type Plugins = NonNullable<Parameters<typeof ReactMarkdown>[0]['rehypePlugins']>

/** What is added after sanitizing is our own. */
const rehypeOf = (kept: Kept, { text, start }: TextBlock, mark: WordMark | null, isMarked: boolean): Plugins => [
  rawAsText,
  [rehypeSanitize, SAFE],
  placeWords(kept, start),
  mendCjk,
  markCitations,
  ...(mark ? [markWords(mark, start + text.length)] : []),
  anchorWords,
  ...(isMarked ? [markEnd] : []),
]

/** The page and the turn have the headings above: an answer's begin at the third level. */
const PARTS: Components = {
  a: Link,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  img: RemoteImage,
  mark: FrameMark,
  pre: CodeBlock,
  span: Mark,
  table: WideTable,
}

export interface BlockProps {
  block: TextBlock
  /** True while the block may still grow. */
  open: boolean
  /** True where the end mark belongs behind its last word. */
  marked: boolean
  /** Words of the answer that have the marker, where some of them may be of this block. */
  mark: WordMark | null
}

/** One block, parsed again only when its own text changes. */
export const Block = memo(function Block({ block, open, marked, mark }: BlockProps) {
  const isThought = block.kind === 'thought'
  const words = isThought ? wordsOfThought(block) : block
  const kept = keepMath(words.text)
  const drawn = (
    <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={rehypeOf(kept, words, mark, marked)} components={PARTS}>
      {kept.text}
    </ReactMarkdown>
  )
  if (!isThought) return drawn
  return (
    <Thought open={open} shown={mark !== null}>
      {drawn}
    </Thought>
  )
})

function wordsOfThought({ kind, text, start }: TextBlock): TextBlock {
  const opens = text.startsWith('<think>') ? '<think>'.length : 0
  return { kind, text: text.slice(opens).replace(/<\/think>$/, ''), start: start + opens }
}
