import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'

export interface WhenAvailable {
  /** Whether platforms take an update now: where nothing is said of its state, the platform is asked. */
  isAvailable: boolean
  /** Whether waiting can help: what is being indexed comes to an end by itself, what is disabled does not. */
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
