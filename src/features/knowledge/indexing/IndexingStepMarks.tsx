import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { indexingMessages } from './messages.ts'
import classes from './IndexingSteps.module.css'
import { toIndexingSteps, type WatchedDocument } from './indexingWatch.ts'

/** A document's way in the width of a cell: a mark for each step, and what it is and took on hover and focus. */
export function IndexingStepMarks({ watched }: { watched: WatchedDocument }) {
  const t = useMessages(indexingMessages)
  const steps = toIndexingSteps(watched)
  const lines = steps.map(({ step, position, durationMs }) =>
    durationMs === null
      ? t(position === 'ahead' ? 'stepAhead' : 'stepUntimed', { step })
      : t('stepLine', { step, seconds: (durationMs / 1000).toFixed(1) }),
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
        {steps.map(({ step, position }) => (
          <i key={step} data-place={position} />
        ))}
      </span>
    </Tooltip>
  )
}
