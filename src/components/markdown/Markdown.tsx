import { type ReactNode, useMemo } from 'react'
import { AnswerContext, type AnswerContextValue, type AnswerFileSource } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { MarkdownBlocks } from './MarkdownBlocks.tsx'
import type { TextHighlight } from './textHighlight.ts'

export interface MarkdownProps {
  text: string
  /** Offset of the text in the answer. */
  start?: number
  isStreaming: boolean
  /** Shown after the last word: a caret, or where the text was truncated. */
  caret?: ReactNode
  /** The positions that `[n]` may cite, and the handler for a click. */
  citations?: readonly number[]
  onCite?: (position: number) => void
  /** The highlighted text. */
  highlight?: TextHighlight | null
  fileSource?: AnswerFileSource | null
}

/**
 * Text that a model wrote, as markdown. Nothing in it runs; pictures come from our server alone; HTML is shown as text,
 * some tags without attributes aside.
 */
export function Markdown(props: MarkdownProps) {
  const { text, start = 0, isStreaming, caret, citations, onCite, highlight = null, fileSource = null } = props
  const answer = useMemo<AnswerContextValue>(
    () => ({ caret, citations, onCite, fileSource }),
    [caret, citations, onCite, fileSource],
  )
  return (
    <AnswerContext value={answer}>
      <div className={classes.markdown}>
        <MarkdownBlocks
          text={text}
          start={start}
          isOpen={isStreaming}
          isMarked={caret !== undefined}
          highlight={highlight}
          depth={0}
        />
      </div>
    </AnswerContext>
  )
}
