import type { ReactNode } from 'react'
import classes from './Answer.module.css'
import type { Pointed } from './pointing.ts'

/** The words of an answer as they came, with the marker where the inspector points. */
export function RawAnswer({ text, end, mark }: { text: string; end: ReactNode; mark: Pointed | null }) {
  const from = mark ? Math.min(mark.from, text.length) : text.length
  const to = mark ? Math.min(mark.to, text.length) : text.length
  return (
    <div className={classes.raw} data-at={0} dir="auto">
      {text.slice(0, from)}
      {to > from ? (
        <mark data-at={from} data-after={to}>
          {text.slice(from, to)}
        </mark>
      ) : null}
      {text.slice(to)}
      {end}
    </div>
  )
}
