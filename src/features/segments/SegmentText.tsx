import { useTranslations } from 'use-intl'
import classes from './Document.module.css'

/** A segment's own text, letter for letter; `marked` is the part of it that was selected elsewhere on the page. */
export function SegmentText({ text, marked = '' }: { text: string; marked?: string }) {
  const t = useTranslations('segments')
  const at = marked === '' ? -1 : text.indexOf(marked)
  return (
    <>
      <div className={classes.text}>
        {at === -1 ? (
          text
        ) : (
          <>
            {text.slice(0, at)}
            <mark>{marked}</mark>
            {text.slice(at + marked.length)}
          </>
        )}
      </div>
      {marked !== '' && at === -1 ? (
        <p className={classes.none} role="status">
          {t('notInText')}
        </p>
      ) : null}
    </>
  )
}
