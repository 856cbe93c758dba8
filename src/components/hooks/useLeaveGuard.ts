import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'

export interface LeaveGuard {
  /** Where the person was going when the guard stopped them. */
  pendingPath: string | null
  stay: () => void
  leave: () => void
}

/**
 * Stops a person at the link that would leave a form with something unsaved, and the browser where it would close the
 * page. The router that could stop Back too costs 18 KiB of the first load; what is typed is a draft, so Back loses nothing.
 */
export function useLeaveGuard(isUnsaved: boolean): LeaveGuard {
  const navigate = useNavigate()
  const [going, setGoing] = useState<string | null>(null)
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const stop = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!link || !isPlain || link.target === '_blank' || link.origin !== location.origin) return
      event.preventDefault()
      event.stopPropagation()
      setGoing(link.pathname + link.search + link.hash)
    }
    addEventListener('beforeunload', warn)
    document.addEventListener('click', stop, { capture: true })
    return () => {
      removeEventListener('beforeunload', warn)
      document.removeEventListener('click', stop, { capture: true })
    }
  }, [isUnsaved])
  return {
    pendingPath: going,
    stay: () => setGoing(null),
    leave: () => {
      if (going !== null) void navigate(going)
      setGoing(null)
    },
  }
}
