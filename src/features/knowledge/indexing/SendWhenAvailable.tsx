import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { indexingMessages } from './messages.ts'

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
        <Group gap="sm" fz="sm" role="status">
          <StatusBadge status={record?.display_status ?? ''} />
          <span>{t(isWaiting ? 'isWaiting' : canWait ? 'notAvailable' : 'neverAvailable')}</span>
        </Group>
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

interface WhenAvailable {
  /** Whether platforms accept an update now; if the state is unknown, the platform decides. */
  isAvailable: boolean
  /** Whether waiting can help: indexing ends by itself, a disabled document does not change. */
  canWait: boolean
  isWaiting: boolean
  /** Sends now, or begins to wait. */
  send: () => void
  sendNow: () => void
  stop: () => void
}

/** Platforms refuse to update a document that is not `available`: waits until it is, and sends then. */
export function useWhenAvailable(record: DocumentRecord | null, submit: () => void): WhenAvailable {
  const [isRequested, setRequested] = useState(false)
  const status = record?.display_status ?? null
  const isAvailable = status === null || status === 'available'
  const isWaiting = isRequested && !isAvailable
  // Once for each time that somebody chose to wait, also where the platform refuses it then.
  const isPending = useRef(false)
  const onAvailable = useEffectEvent(() => {
    if (isPending.current) submit()
    isPending.current = false
  })
  useEffect(() => {
    if (isAvailable) onAvailable()
  }, [isAvailable])
  const wait = (value: boolean) => {
    isPending.current = value
    setRequested(value)
  }
  return {
    isAvailable,
    canWait: record !== null && !isIndexingFinal(record),
    isWaiting,
    send: () => (isAvailable ? submit() : wait(true)),
    sendNow: submit,
    stop: () => wait(false),
  }
}
