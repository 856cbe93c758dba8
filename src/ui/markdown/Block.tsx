import { memo } from 'react'
import ReactMarkdown from 'react-markdown'
import { useWords } from '../words.ts'
import { BlockBoundary } from './BlockBoundary.tsx'
import type { Block as TextBlock } from './blocks.ts'
import { costOfBlock } from './blockCost.ts'
import { LargeBlock } from './LargeBlock.tsx'
import { keepMath } from './math.ts'
import { markdownWords } from './messages.ts'
import { PARTS } from './parts.ts'
import { REMARK, toMarkedTree, toSafeTree } from './pipeline.ts'
import { PlainBlock } from './PlainBlock.tsx'
import { Thought } from './Thought.tsx'
import type { WordMark } from './words.ts'

export interface BlockProps {
  block: TextBlock
  /** True while the block may still grow. */
  open: boolean
  /** True where the end mark belongs behind its last word. */
  marked: boolean
  /** Words of the answer that have the marker, where some of them may be of this block. */
  mark: WordMark | null
}

/** One block, parsed again only when its own text changes. A block beyond the bounds is not parsed here at all. */
export const Block = memo(function Block({ block, open, marked, mark }: BlockProps) {
  const t = useWords(markdownWords)
  const isThought = block.kind === 'thought'
  const { text, start } = isThought ? wordsOfThought(block) : block
  const { way } = costOfBlock(block)
  const words = { text, start, marked, mark }
  const drawn = (
    <BlockBoundary text={text} fallback={<PlainBlock {...words} note={t('notRendered')} />}>
      {way === 'page' ? <ParsedBlock {...words} /> : <LargeBlock {...words} open={open} way={way} />}
    </BlockBoundary>
  )
  if (!isThought) return drawn
  return (
    <Thought open={open} shown={mark !== null}>
      {drawn}
    </Thought>
  )
})

/** A component of its own, so that the boundary stands round the parser. */
function ParsedBlock({
  text,
  start,
  marked,
  mark,
}: {
  text: string
  start: number
  marked: boolean
  mark: WordMark | null
}) {
  const kept = keepMath(text)
  const plugins = [...toSafeTree(kept, start), ...toMarkedTree(mark, start + text.length, marked)]
  return (
    <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={plugins} components={PARTS}>
      {kept.text}
    </ReactMarkdown>
  )
}

function wordsOfThought({ text, start }: TextBlock): { text: string; start: number } {
  const opens = text.startsWith('<think>') ? '<think>'.length : 0
  return { text: text.slice(opens).replace(/<\/think>$/, ''), start: start + opens }
}
