import { createContext, useCallback, useContext, useState } from 'react'

/** Takes the number of pending or failed uploads of a field: a request sent now omits their files. */
export const PendingUploadsContext = createContext<(field: string, count: number) => void>(() => undefined)

/** The pending uploads of the fields of a form, for which its request has to wait. `note` is the form's context. */
export function usePendingUploads() {
  const noteInOuterForm = useContext(PendingUploadsContext)
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({})
  const [isSendRefused, setSendRefused] = useState(false)
  const note = useCallback(
    (field: string, count: number) => {
      setCounts((before) => ({ ...before, [field]: count }))
      noteInOuterForm(field, count)
    },
    [noteInOuterForm],
  )
  const hasPending = Object.values(counts).some((count) => count > 0)
  if (isSendRefused && !hasPending) setSendRefused(false)
  return {
    hasPending,
    /** A request was refused, and its uploads are still pending. */
    isSendRefused,
    note,
    /** @returns true if a request must not be sent yet */
    refuseSend: () => {
      setSendRefused(hasPending)
      return hasPending
    },
  }
}
