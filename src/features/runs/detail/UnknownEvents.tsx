import type { UnknownEvent } from '#domain/workflowRun/runState.ts'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import classes from '../inspector/NodePanel.module.css'

/** Unknown events, unchanged; nothing without any. */
export function UnknownEvents({ events }: { events: readonly UnknownEvent[] }) {
  const t = useMessages(timelineMessages)
  if (events.length === 0) return null
  const label = t('unknownEvents', { count: events.reduce((all, { count }) => all + count, 0) })
  return (
    <details className={classes.unknown}>
      <summary>{label}</summary>
      <RawJson value={events} label={label} />
    </details>
  )
}
