import type { ReactNode } from 'react'
import { PlainText } from '../../../components/markdown/PlainText.tsx'
import classes from './AnswerView.module.css'
import type { HighlightedRange } from './answerHighlight.ts'

/** The raw text of an answer, with the highlight from the inspector. */
export function RawAnswer({ text, end, mark }: { text: string; end: ReactNode; mark: HighlightedRange | null }) {
  return (
    <div className={classes.raw}>
      <PlainText text={text} start={0} mark={mark} end={end} />
    </div>
  )
}
