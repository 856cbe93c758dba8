import { type ReactNode, useContext } from 'react'
import classes from './MarkdownBlock.module.css'
import { toPieces } from './textPieces.ts'
import { AnswerContext } from './answerContext.ts'
import type { TextHighlight } from './textHighlight.ts'

interface PlainTextProps {
  text: string
  /** Offset of the text in the answer. */
  start: number
  /** The highlighted range of the answer. */
  mark: { from: number; to: number } | null
  /** Shown after the last word. */
  end?: ReactNode
}

/** Plain text in pieces: the browser skips the layout of those outside the viewport. */
export function PlainText({ text, start, mark, end }: PlainTextProps) {
  const pieces = toPieces(text)
  return (
    <div className={classes.plain}>
      {pieces.map((piece, index) => (
        <div key={index} className={classes.piece} data-at={start + piece.from} dir="auto">
          <MarkedText text={piece.text} start={start + piece.from} mark={mark} />
          {index === pieces.length - 1 ? end : null}
        </div>
      ))}
      {pieces.length === 0 ? end : null}
    </div>
  )
}

function MarkedText({ text, start, mark }: PlainTextProps) {
  const from = mark ? Math.min(Math.max(mark.from - start, 0), text.length) : text.length
  const to = mark ? Math.min(Math.max(mark.to - start, from), text.length) : text.length
  if (to === from) return <>{text}</>
  return (
    <>
      {text.slice(0, from)}
      <mark data-at={start + from} data-after={start + to}>
        {text.slice(from, to)}
      </mark>
      {text.slice(to)}
    </>
  )
}

export interface PlainBlockProps {
  text: string
  /** Offset of the block in the answer. */
  start: number
  marked: boolean
  mark: TextHighlight | null
  /** Says why it is plain. */
  note: ReactNode
}

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
