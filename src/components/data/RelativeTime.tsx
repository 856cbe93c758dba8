import { useEffect, useState } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { type Translate, useMessages } from '../i18n/useMessages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Shared: creating one takes a millisecond, and a list shows a hundred. */
const FULL_DATE_FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/**
 * A relative time; hover and focus show the exact time with its zone. `at` is ISO 8601 or Unix seconds; `showsAgo` is
 * for use in a sentence.
 */
export function RelativeTime({ at, showsAgo = false }: { at: string | number | null | undefined; showsAgo?: boolean }) {
  const t = useMessages(componentMessages)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span>{t('notGiven')}</span>
  const date = new Date(typeof at === 'number' ? at * 1000 : at)
  const ageMs = now - date.getTime()
  return (
    <Tooltip label={FULL_DATE_FORMAT.format(date)}>
      <time dateTime={date.toISOString()} tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
        {showsAgo && ageMs >= 10_000 && ageMs < DAY_MS
          ? t('ago', { age: formatRelativeTime(ageMs, date, t) })
          : formatRelativeTime(ageMs, date, t)}
      </time>
    </Tooltip>
  )
}

function formatRelativeTime(ageMs: number, date: Date, t: Translate<typeof componentMessages>): string {
  if (ageMs < 10_000) return t('now')
  if (ageMs < MINUTE_MS) return t('seconds', { n: Math.round(ageMs / 1000) })
  if (ageMs < HOUR_MS) return t('minutes', { n: Math.round(ageMs / MINUTE_MS) })
  if (ageMs < DAY_MS) return t('hours', { n: Math.round(ageMs / HOUR_MS) })
  if (ageMs < 2 * DAY_MS) return t('yesterday')
  if (ageMs < 7 * DAY_MS) return t('days', { n: Math.floor(ageMs / DAY_MS) })
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}
