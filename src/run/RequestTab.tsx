import { RawJson } from '../ui/RawJson.tsx'
import { useWords } from '../ui/words.ts'
import { CopyCurl } from './CopyCurl.tsx'
import { requestOf } from './curl.ts'
import { pathOf } from './entries.ts'
import classes from './Inspector.module.css'
import { runWords } from './messages.ts'
import type { Turn } from './turn.ts'

/** The request as it was sent. `base_url` is the platform's, null where it is not known (any more). */
export function RequestTab({ turn, base_url }: { turn: Turn; base_url: string | null }) {
  const t = useWords(runWords)
  const { body } = turn.question
  const path = pathOf(turn.entry)
  if (turn.answer.run.told?.elsewhere)
    return (
      <>
        <p className={classes.about}>{t('sentElsewhere')}</p>
        <RawJson value={body} label={t('request')} />
      </>
    )
  return (
    <>
      <div className={classes.request}>
        <code>
          POST <span>{base_url}</span>
          {path}
        </code>
        <CopyCurl {...requestOf(turn)} base_url={base_url} />
      </div>
      <p className={classes.about}>{t('asSent')}</p>
      <RawJson value={body} label={t('request')} />
    </>
  )
}
