import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import type { Block as TextBlock } from './blocks.ts'
import { mendCjk } from './cjk.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { Link } from './Link.tsx'
import { Mark } from './Mark.tsx'
import { rawAsText } from './hast.ts'
import { markCitations, markEnd } from './marks.ts'
import { RemoteImage } from './RemoteImage.tsx'
import { SAFE } from './safe.ts'
import { Thought } from './Thought.tsx'
import { WideTable } from './WideTable.tsx'

// `10~20` in Chinese text is a range: only two tildes strike through.
const REMARK = [[remarkGfm, { singleTilde: false }]] satisfies Parameters<typeof ReactMarkdown>[0]['remarkPlugins']
// What is added after sanitizing is our own.
const REHYPE = [rawAsText, [rehypeSanitize, SAFE], mendCjk, markCitations] satisfies Parameters<
  typeof ReactMarkdown
>[0]['rehypePlugins']
const REHYPE_MARKED = [...REHYPE, markEnd]

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
}

/** One block, parsed again only when its own text changes. */
export const Block = memo(function Block({ block, open, marked }: BlockProps) {
  const isThought = block.kind === 'thought'
  const words = (
    <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={marked ? REHYPE_MARKED : REHYPE} components={PARTS}>
      {isThought ? block.text.replace(/^<think>|<\/think>$/g, '') : block.text}
    </ReactMarkdown>
  )
  return isThought ? <Thought open={open}>{words}</Thought> : words
})
