import { useEffect, useEffectEvent } from 'react'

/** Calls back once what a form needs has loaded, for an action that a person started before. */
export function useOnReady(isReady: boolean, onReady: () => void): void {
  const call = useEffectEvent(onReady)
  useEffect(() => {
    if (!isReady) return
    const timer = setTimeout(() => call())
    return () => clearTimeout(timer)
  }, [isReady])
}
