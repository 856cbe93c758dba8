import { useEffect, useState } from 'react'
import { formatDate, formatExactTime } from '#domain/dateFormat.ts'
import { componentMessages } from '../i18n/messages.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { useMessages } from '../i18n/useMessages.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Shared: creating one takes a millisecond, and a list shows a hundred. */
const RELATIVE_FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })

/** A relative time ("5m ago", "in 2h"); hover shows the exact time with its zone. No tab stop: a list would have one in each row. `at` is ISO 8601 or Unix seconds. */
export function RelativeTime({ at }: { at: string | number | null | undefined }) {
  const t = useMessages(componentMessages)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span>{t('notGiven')}</span>
  const date = new Date(typeof at === 'number' ? at * 1000 : at)
  // What a platform sends need not be a date.
  if (Number.isNaN(date.getTime())) return <span>{at}</span>
  return (
    <Tooltip label={formatExactTime(date)}>
      <time dateTime={date.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {formatRelativeTime(date, now)}
      </time>
    </Tooltip>
  )
}

/** "now" within ten seconds, the day of the month beyond a week; past or future. `now` in Unix milliseconds. */
export function formatRelativeTime(date: Date, now: number): string {
  const ageMs = now - date.getTime()
  const distanceMs = Math.abs(ageMs)
  const format = (unitMs: number, unit: Intl.RelativeTimeFormatUnit) =>
    RELATIVE_FORMAT.format(-Math.sign(ageMs) * Math.floor(distanceMs / unitMs), unit)
  if (distanceMs >= 7 * DAY_MS) return formatDate(date)
  if (distanceMs >= DAY_MS) return format(DAY_MS, 'day')
  if (distanceMs >= HOUR_MS) return format(HOUR_MS, 'hour')
  if (distanceMs >= MINUTE_MS) return format(MINUTE_MS, 'minute')
  if (distanceMs >= 10 * SECOND_MS) return format(SECOND_MS, 'second')
  return RELATIVE_FORMAT.format(0, 'second')
}
