import { IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react'
import { useWords } from '../../ui/words.ts'
import type { Change } from './changes.ts'
import classes from './Datasets.module.css'
import { datasetsWords } from './messages.ts'

/** After a save: what was sent, and what the platform changed on its own or did not take. */
export function Saved({ sent, own }: { sent: readonly string[]; own: readonly Change[] }) {
  const t = useWords(datasetsWords)
  const show = (value: unknown) =>
    value === null || value === undefined || value === '' ? t('notGiven') : shown(value)
  return (
    <section className={classes.saved} role="status" aria-label={t('savedTitle')}>
      <p>
        <IconCircleCheckFilled size={14} aria-hidden="true" />
        {t('saved')} <code>{sent.join(', ')}</code>
      </p>
      {own.length > 0 ? (
        <>
          <p>
            <IconInfoCircle size={14} aria-hidden="true" />
            {t('ownChanges')}
          </p>
          <dl>
            {own.map((change) => (
              <div key={change.field}>
                <dt>{change.field}</dt>
                <dd>
                  {'asked' in change
                    ? t('askedAndAnswered', { asked: show(change.asked), after: show(change.after) })
                    : t('wasAndIs', { before: show(change.before), after: show(change.after) })}
                </dd>
              </div>
            ))}
          </dl>
        </>
      ) : (
        <p>{t('nothingElse')}</p>
      )}
    </section>
  )
}

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
