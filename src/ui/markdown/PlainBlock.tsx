import { type ReactNode, useContext } from 'react'
import { AnswerContext } from './context.ts'
import classes from './Markdown.module.css'
import { PlainText } from './PlainText.tsx'
import type { WordMark } from './words.ts'

export interface PlainBlockProps {
  text: string
  /** Where it begins in the answer. */
  start: number
  marked: boolean
  mark: WordMark | null
  /** Says why it is plain. */
  note: ReactNode
}

/** A block as the text that it is. */
export function PlainBlock({ text, start, marked, mark, note }: PlainBlockProps) {
  const { end } = useContext(AnswerContext)
  return (
    <>
      <p className={classes.note} role="note">
        {note}
      </p>
      <PlainText text={text} start={start} mark={mark} end={marked ? end : null} />
    </>
  )
}
