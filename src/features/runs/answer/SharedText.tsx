import { useMemo } from 'react'
import classes from './SourceCard.module.css'
import { findSharedSpans, type Vocabulary } from './sharedTextSpans.ts'

/** The text of a source; highlights what it shares with the answer. */
export function SharedText({ text, vocabulary }: { text: string; vocabulary: Vocabulary }) {
  const spans = useMemo(() => findSharedSpans(text, vocabulary), [text, vocabulary])
  return (
    <>
      {spans.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(spans[index - 1]?.to ?? 0, from)}
          <mark className={classes.shared}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(spans.at(-1)?.to ?? 0)}
    </>
  )
}
