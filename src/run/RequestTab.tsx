import { useTranslations } from 'use-intl'
import { RawJson } from '../ui/RawJson.tsx'
import classes from './Inspector.module.css'
import type { Turn } from './turn.ts'

/** The body of the request, as it was sent. */
export function RequestTab({ turn }: { turn: Turn }) {
  const t = useTranslations('run')
  return (
    <>
      <p className={classes.about}>
        <code>POST /chat-messages</code> {t('asSent')}
      </p>
      <RawJson value={turn.question.body} label={t('request')} />
    </>
  )
}
