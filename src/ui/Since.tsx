import { useEffect, useState } from 'react'
import { uiWords } from './messages.ts'
import { Tooltip } from './Tooltip.tsx'
import { type Say, useWords } from './words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Made once: a list of a hundred rows would make a hundred of them, a millisecond each. */
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** How long ago; the moment itself with its zone on hover and focus. `at` is ISO 8601, or seconds since 1970; `ago` for use in a sentence. */
export function Since({ at, ago = false }: { at: string | number | null | undefined; ago?: boolean }) {
  const t = useWords(uiWords)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span>{t('notGiven')}</span>
  const moment = new Date(typeof at === 'number' ? at * 1000 : at)
  const age = now - moment.getTime()
  return (
    <Tooltip label={WHOLE.format(moment)}>
      <time dateTime={moment.toISOString()} tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
        {ago && age >= 10_000 && age < DAY ? t('ago', { age: relative(age, moment, t) }) : relative(age, moment, t)}
      </time>
    </Tooltip>
  )
}

function relative(age: number, moment: Date, t: Say<typeof uiWords>): string {
  if (age < 10_000) return t('now')
  if (age < MINUTE) return t('seconds', { n: Math.round(age / 1000) })
  if (age < HOUR) return t('minutes', { n: Math.round(age / MINUTE) })
  if (age < DAY) return t('hours', { n: Math.round(age / HOUR) })
  if (age < 2 * DAY) return t('yesterday')
  if (age < 7 * DAY) return t('days', { n: Math.floor(age / DAY) })
  return moment.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
}
