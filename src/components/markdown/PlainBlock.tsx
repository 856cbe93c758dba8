import { type ReactNode, useContext } from 'react'
import { AnswerContext } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { PlainText } from './PlainText.tsx'
import type { TextHighlight } from './textHighlight.ts'

export interface PlainBlockProps {
  text: string
  /** Offset of the block in the answer. */
  start: number
  marked: boolean
  mark: TextHighlight | null
  /** Says why it is plain. */
  note: ReactNode
}

/** A block as plain text. */
export function PlainBlock({ text, start, marked, mark, note }: PlainBlockProps) {
  const { caret } = useContext(AnswerContext)
  return (
    <>
      <p className={classes.note} role="note">
        {note}
      </p>
      <PlainText text={text} start={start} mark={mark} end={marked ? caret : null} />
    </>
  )
}
