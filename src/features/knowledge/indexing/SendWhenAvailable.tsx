import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { indexingMessages } from './messages.ts'
import classes from './IndexingSteps.module.css'
import type { WhenAvailable } from './useWhenAvailable.ts'

export interface SendWhenAvailableProps {
  waiting: WhenAvailable
  record: DocumentRecord | null
  /** The label of the button. */
  label: string
  isPending: boolean
  isDisabled?: boolean | undefined
  /** The form around it sends. */
  isSubmit?: boolean
  /** The class of the row of buttons. */
  className: string | undefined
  /** The other buttons of the row. */
  children?: ReactNode
}

/** The button of an action that platforms refuse while a document is not available: it says so, and offers to wait. */
export function SendWhenAvailable(props: SendWhenAvailableProps) {
  const { waiting, record, label, isPending, isDisabled, isSubmit = false, className, children } = props
  const t = useMessages(indexingMessages)
  const { isAvailable, isWaiting, canWait } = waiting
  return (
    <>
      {isAvailable ? null : (
        <div className={classes.unavailable} role="status">
          <StatusBadge status={record?.display_status ?? ''} />
          <span>{t(isWaiting ? 'isWaiting' : canWait ? 'notAvailable' : 'neverAvailable')}</span>
        </div>
      )}
      <div className={className}>
        {isAvailable || (canWait && !isWaiting) ? (
          <Button
            loading={isPending}
            disabled={isDisabled}
            {...(isSubmit ? { type: 'submit' as const } : { onClick: waiting.send })}
          >
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
        {children}
      </div>
    </>
  )
}
