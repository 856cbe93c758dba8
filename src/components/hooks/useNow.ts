import { useEffect, useState } from 'react'

/** The current time (Unix ms), updated every half second while `ticks` is true. */
export function useNow(ticks: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticks) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [ticks])
  return now
}
