import { IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { DatasetChange } from './datasetChanges.ts'
import classes from './Datasets.module.css'
import { datasetMessages } from './messages.ts'

/** After a save: what was sent, and what the platform changed on its own or did not take. */
export function SavedChanges({
  sentFields,
  platformChanges,
}: {
  sentFields: readonly string[]
  platformChanges: readonly DatasetChange[]
}) {
  const t = useMessages(datasetMessages)
  const show = (value: unknown) =>
    value === null || value === undefined || value === '' ? t('notGiven') : formatFieldValue(value)
  return (
    <section className={classes.saved} role="status" aria-label={t('savedTitle')}>
      <p>
        <IconCircleCheckFilled size={14} aria-hidden="true" />
        {t('saved')} <code>{sentFields.join(', ')}</code>
      </p>
      {platformChanges.length > 0 ? (
        <>
          <p>
            <IconInfoCircle size={14} aria-hidden="true" />
            {t('unsavedChanges')}
          </p>
          <dl>
            {platformChanges.map((change) => (
              <div key={change.field}>
                <dt>{change.field}</dt>
                <dd>
                  {'requested' in change
                    ? t('askedAndAnswered', { asked: show(change.requested), after: show(change.after) })
                    : t('wasAndIs', { before: show(change.before), after: show(change.after) })}
                </dd>
              </div>
            ))}
          </dl>
        </>
      ) : (
        <p>{t('noOtherChange')}</p>
      )}
    </section>
  )
}

const formatFieldValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
