import { memo } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import ReactMarkdown from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import type { TextBlock } from './blocks/markdownBlocks.ts'
import { costOfBlock } from './blocks/blockCost.ts'
import { toFoldContent } from './blocks/foldContent.ts'
import { FoldBlock } from './FoldBlock.tsx'
import { LargeBlock } from './LargeBlock.tsx'
import { escapeMath } from './pipeline/escapeMath.ts'
import { markdownMessages } from './messages.ts'
import { PARTS } from './markdownElements.ts'
import { REMARK, toMarkedTree, toSafeTree } from './pipeline/markdownPipeline.ts'
import { PlainBlock } from './PlainBlock.tsx'
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
  const fold = block.kind === 'markdown' ? null : toFoldContent(block)
  const { text, start } = fold ?? block
  const { way } = costOfBlock(block)
  const words = { text, start, marked: isHighlighted, mark: highlight }
  const drawn = (
    // A render error stays within one block; a new text resets it.
    <ErrorBoundary resetKeys={[text]} fallback={<PlainBlock {...words} note={t('notRendered')} />}>
      {way === 'page' ? <ParsedBlock {...words} /> : <LargeBlock {...words} open={isOpen} way={way} />}
    </ErrorBoundary>
  )
  if (!fold) return drawn
  return (
    <FoldBlock fold={fold} isThought={block.kind === 'thought'} isOpen={isOpen} isExpanded={highlight !== null}>
      {drawn}
    </FoldBlock>
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
