import { useEffect, useState } from 'react'

/** The longest delay of a timer (ms); a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Whether a moment (ISO 8601) has passed; false for null. Renders again when it does. */
export function useHasPassed(at: string | null): boolean {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const leftMs = at === null ? 0 : Date.parse(at) - Date.now()
    if (leftMs <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(leftMs + 1, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  }, [at, now])
  return at !== null && Date.parse(at) <= now
}
