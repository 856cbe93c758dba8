import { IconAlertTriangle } from '@tabler/icons-react'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Documents.module.css'
import type { Edit } from './history.ts'
import { documentsWords } from './messages.ts'

/** The edits of chunks made here that an update discards, each with who and when. */
export function LostEdits({ edits }: { edits: readonly Edit[] }) {
  const t = useWords(documentsWords)
  if (edits.length === 0) return <p className={classes.nothingLost}>{t('nothingLost')}</p>
  return (
    <section className={classes.lost} aria-label={t('lostTitle')}>
      <p>
        <IconAlertTriangle size={14} aria-hidden="true" />
        {t('lost', { n: edits.length })}
      </p>
      <ul>
        {edits.map(({ id, entry, person, created_at, note, text }) => (
          <li key={id}>
            <code>{entry.split('.').at(-1)}</code> {person} <Since at={created_at} ago />
            {note ? `: ${note}` : null}
            {text ? <span>“{text.length > 160 ? `${text.slice(0, 160)} …` : text}”</span> : null}
          </li>
        ))}
      </ul>
      <p>{t('lostKept')}</p>
    </section>
  )
}
