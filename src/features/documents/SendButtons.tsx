import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { DocumentRecord } from '#contract/records.ts'
import fields from '../../ui/fields/Fields.module.css'
import { StateBadge } from '../../ui/StateBadge.tsx'
import classes from './Documents.module.css'
import type { WhenAvailable } from './useWhenAvailable.ts'

export interface SendButtonsProps {
  waiting: WhenAvailable
  record: DocumentRecord | null
  isPending: boolean
  isDisabled?: boolean
  label: string
  note: string
  onClose: () => void
  onDiscard?: () => void
}

/** The end of an update's form: sends, or says why it cannot be sent yet and waits. */
export function SendButtons(props: SendButtonsProps) {
  const { waiting, record, isPending, isDisabled, label, note, onClose, onDiscard } = props
  const t = useTranslations('documents')
  const { isAvailable, isWaiting, canWait } = waiting
  return (
    <>
      {isAvailable ? null : (
        <div className={classes.unavailable} role="status">
          <StateBadge word={record?.display_status ?? ''} />
          <span>{t(isWaiting ? 'isWaiting' : canWait ? 'notAvailable' : 'neverAvailable')}</span>
        </div>
      )}
      <div className={fields.buttons}>
        {isAvailable || (canWait && !isWaiting) ? (
          <Button type="submit" loading={isPending} disabled={isDisabled}>
            {isAvailable ? label : t('sendThen')}
          </Button>
        ) : null}
        {isWaiting ? (
          <Button variant="default" onClick={waiting.stop}>
            {t('stopWaiting')}
          </Button>
        ) : null}
        {isAvailable ? null : (
          <Button variant="default" loading={isPending} disabled={isDisabled} onClick={waiting.sendNow}>
            {t('sendAllTheSame')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t(onDiscard ? 'cancel' : 'closeDrawer')}
        </Button>
        {onDiscard ? (
          <Button variant="subtle" color="gray" onClick={onDiscard}>
            {t('discard')}
          </Button>
        ) : null}
        <p className={fields.note}>{note}</p>
      </div>
    </>
  )
}
