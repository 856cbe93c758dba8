import { memo } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import ReactMarkdown from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import type { TextBlock } from './blocks/markdownBlocks.ts'
import { costOfBlock } from './blocks/blockCost.ts'
import { LargeBlock } from './LargeBlock.tsx'
import { escapeMath } from './pipeline/escapeMath.ts'
import { markdownMessages } from './messages.ts'
import { PARTS } from './markdownElements.ts'
import { REMARK, toMarkedTree, toSafeTree } from './pipeline/markdownPipeline.ts'
import { PlainBlock } from './PlainBlock.tsx'
import { ThoughtBlock } from './ThoughtBlock.tsx'
import type { TextHighlight } from './textHighlight.ts'

export interface MarkdownBlockProps {
  block: TextBlock
  /** True while the block may still grow. */
  isOpen: boolean
  /** True if the end marker belongs after its last word. */
  isHighlighted: boolean
  /** The highlighted text of the answer, if it may overlap this block. */
  highlight: TextHighlight | null
}

/** One block, parsed again only when its own text changes. A block above the limits is not parsed here at all. */
export const MarkdownBlock = memo(function Block({ block, isOpen, isHighlighted, highlight }: MarkdownBlockProps) {
  const t = useMessages(markdownMessages)
  const isThought = block.kind === 'thought'
  const { text, start } = isThought ? stripThoughtTag(block) : block
  const { way } = costOfBlock(block)
  const words = { text, start, marked: isHighlighted, mark: highlight }
  const drawn = (
    // A render error stays within one block; a new text resets it.
    <ErrorBoundary resetKeys={[text]} fallback={<PlainBlock {...words} note={t('notRendered')} />}>
      {way === 'page' ? <ParsedBlock {...words} /> : <LargeBlock {...words} open={isOpen} way={way} />}
    </ErrorBoundary>
  )
  if (!isThought) return drawn
  return (
    <ThoughtBlock isOpen={isOpen} isExpanded={highlight !== null}>
      {drawn}
    </ThoughtBlock>
  )
})

/** A separate component, so that the boundary wraps the parser. */
function ParsedBlock({
  text,
  start,
  marked,
  mark,
}: {
  text: string
  start: number
  marked: boolean
  mark: TextHighlight | null
}) {
  const kept = escapeMath(text)
  const plugins = [...toSafeTree(kept, start), ...toMarkedTree(mark, start + text.length, marked)]
  return (
    <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={plugins} components={PARTS}>
      {kept.text}
    </ReactMarkdown>
  )
}

function stripThoughtTag({ text, start }: TextBlock): { text: string; start: number } {
  const opens = text.startsWith('<think>') ? '<think>'.length : 0
  return { text: text.slice(opens).replace(/<\/think>$/, ''), start: start + opens }
}
