import type { UnknownEvent } from '#contract/run.ts'
import { RawJson } from '../../ui/RawJson.tsx'
import { useWords } from '../../ui/words.ts'
import { timelineWords } from './messages.ts'
import classes from './NodePanel.module.css'

/** Events that the console does not know, as they came; nothing where there are none. */
export function UnknownEvents({ events }: { events: readonly UnknownEvent[] }) {
  const t = useWords(timelineWords)
  if (events.length === 0) return null
  const label = t('unknownEvents', { count: events.reduce((all, { count }) => all + count, 0) })
  return (
    <details className={classes.unknown}>
      <summary>{label}</summary>
      <RawJson value={events} label={label} />
    </details>
  )
}
