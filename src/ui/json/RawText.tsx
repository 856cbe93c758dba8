import { useState } from 'react'
import { uiWords } from '../messages.ts'
import classes from '../RawJson.module.css'
import { useWords } from '../words.ts'

const FIRST = 20_000

/** A text exactly as it came. A long one shows its beginning, and ten times more each time one asks. */
export function RawText({ text, label }: { text: string; label: string }) {
  const t = useWords(uiWords)
  const [most, setMost] = useState(FIRST)
  return (
    <div className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <pre className={classes.raw}>{text.slice(0, most)}</pre>
      {text.length > most ? (
        <button type="button" className={classes.more} onClick={() => setMost(most * 10)}>
          {t('moreText', { shown: most, count: text.length })}
        </button>
      ) : null}
    </div>
  )
}
