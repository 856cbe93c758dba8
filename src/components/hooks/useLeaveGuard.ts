import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { leaveQuestions } from '../layout/NavigationGuard.tsx'

export interface LeaveGuard {
  /** The destination of the blocked navigation. */
  pendingPath: string | null
  stay: () => void
  leave: () => void
}

/**
 * Blocks navigation away from a form with unsaved changes, and closing the page. Back is not blocked: input is stored as a
 * draft, so Back loses nothing.
 */
export function useLeaveGuard(isUnsaved: boolean): LeaveGuard {
  const navigate = useNavigate()
  const [going, setGoing] = useState<string | null>(null)
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    leaveQuestions.add(setGoing)
    return () => {
      removeEventListener('beforeunload', warn)
      leaveQuestions.delete(setGoing)
    }
  }, [isUnsaved])
  return {
    pendingPath: going,
    stay: () => setGoing(null),
    leave: () => {
      leaveQuestions.delete(setGoing)
      if (going !== null) void navigate(going)
      setGoing(null)
    },
  }
}
