import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { CopyCurl } from './CopyCurl.tsx'
import { toCurlRequest } from './curlCommand.ts'
import { getRunPath } from '../runEntries.ts'
import classes from './Inspector.module.css'
import { runMessages } from '../detail/messages.ts'
import type { Turn } from '../turn.ts'

/** The request as sent. `base_url` is the platform's, null if unknown. */
export function RequestTab({ turn, base_url }: { turn: Turn; base_url: string | null }) {
  const t = useMessages(runMessages)
  const { body } = turn.question
  const path = getRunPath(turn.entry, turn.question.pinned_workflow_id)
  if (turn.answer.run.told?.elsewhere)
    return (
      <>
        <p className={classes.about}>{t('externalRun')}</p>
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
        <CopyCurl {...toCurlRequest(turn)} base_url={base_url} />
      </div>
      <p className={classes.about}>{t('asSent')}</p>
      <RawJson value={body} label={t('request')} />
    </>
  )
}
