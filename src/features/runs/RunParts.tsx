import { count } from '../../run/figures.ts'
import { timelineWords } from '../../run/timeline/messages.ts'
import { useWords } from '../../ui/words.ts'
import { runsWords } from './messages.ts'
import classes from './Run.module.css'

export interface RunPartsProps {
  frames: number
  hasInputs: boolean
  /** Whether the platform can be asked what it says of the run now. */
  hasDetail: boolean
  onFrames: () => void
}

/** The parts of the page, one press away wherever one has scrolled to; the frames stand beside it. */
export function RunParts({ frames, hasInputs, hasDetail, onFrames }: RunPartsProps) {
  const t = useWords(runsWords)
  const say = useWords(timelineWords)
  const parts = [t('result'), ...(hasInputs ? [t('inputs')] : []), ...(hasDetail ? [say('detail')] : [])]
  return (
    <nav className={classes.parts} aria-label={t('parts')}>
      {parts.map((label) => (
        <button
          key={label}
          type="button"
          onClick={({ currentTarget }) =>
            currentTarget
              .closest(`.${classes.result}`)
              ?.querySelector(`section[aria-label="${CSS.escape(label)}"]`)
              ?.scrollIntoView({ block: 'start' })
          }
        >
          {label}
        </button>
      ))}
      <button type="button" onClick={onFrames}>
        {t('frames')} <small>{count(frames)}</small>
      </button>
    </nav>
  )
}
