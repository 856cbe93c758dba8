import { useEffect, useState } from 'react'

/** The time, milliseconds since 1970, fresh each half second while `ticks`. */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticks) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [ticks])
  return now
}
