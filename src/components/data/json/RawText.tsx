import { useState } from 'react'
import { jsonMessages } from './messages.ts'
import classes from './RawJson.module.css'
import { useMessages } from '../../i18n/useMessages.ts'

const INITIAL_CHARS = 20_000

/** The unmodified text. A long one is truncated; each click shows ten times more. */
export function RawText({ text, label }: { text: string; label: string }) {
  const t = useMessages(jsonMessages)
  const [visibleChars, setVisibleChars] = useState(INITIAL_CHARS)
  return (
    <div className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <pre className={classes.raw}>{text.slice(0, visibleChars)}</pre>
      {text.length > visibleChars ? (
        <button type="button" className={classes.more} onClick={() => setVisibleChars(visibleChars * 10)}>
          {t('moreText', { shown: visibleChars, count: text.length })}
        </button>
      ) : null}
    </div>
  )
}
