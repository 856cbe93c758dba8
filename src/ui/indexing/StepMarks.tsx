import { Tooltip } from '../Tooltip.tsx'
import { useWords } from '../words.ts'
import { indexingWords } from './messages.ts'
import classes from './Steps.module.css'
import { wayOf, type Watched } from './steps.ts'

/** A document's way in the width of a cell: a mark for each step, and what it is and took on hover and focus. */
export function StepMarks({ watched }: { watched: Watched }) {
  const t = useWords(indexingWords)
  const way = wayOf(watched)
  const lines = way.map(({ step, place, took }) =>
    took === null
      ? t(place === 'ahead' ? 'stepAhead' : 'stepUntimed', { step })
      : t('stepLine', { step, seconds: (took / 1000).toFixed(1) }),
  )
  return (
    <Tooltip
      label={lines.map((line) => (
        <span key={line} className={classes.line}>
          {line}
        </span>
      ))}
    >
      {/* The name says all that the words beside it do, so that a screen reader needs no tooltip. */}
      <span role="img" tabIndex={0} aria-label={t('way', { lines: lines.join(', ') })} className={classes.marks}>
        {way.map(({ step, place }) => (
          <i key={step} data-place={place} />
        ))}
      </span>
    </Tooltip>
  )
}
