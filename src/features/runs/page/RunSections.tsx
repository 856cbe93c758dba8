import { formatCount } from '#domain/metricFormat.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'
import classes from './Run.module.css'

export interface RunSectionsProps {
  frames: number
  hasInputs: boolean
  /** Whether the platform can be asked for the current state of the run. */
  hasDetail: boolean
  onFrames: () => void
}

/** Links to the sections of the page, and a button for the frames. */
export function RunSections({ frames, hasInputs, hasDetail, onFrames }: RunSectionsProps) {
  const t = useMessages(runListMessages)
  const translate = useMessages(timelineMessages)
  const sections = [t('result'), ...(hasInputs ? [t('inputs')] : []), ...(hasDetail ? [translate('detail')] : [])]
  return (
    <nav className={classes.parts} aria-label={t('runSections')}>
      {sections.map((label) => (
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
        {t('frames')} <small>{formatCount(frames)}</small>
      </button>
    </nav>
  )
}
