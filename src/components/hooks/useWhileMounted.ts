import { useCallback, useEffect, useRef } from 'react'

/**
 * Wraps what follows a request, such as navigating to another page: it is skipped if the component was removed
 * meanwhile, since the person has left its screen or editor.
 */
export function useWhileMounted(): <A extends unknown[]>(action: (...args: A) => void) => (...args: A) => void {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return useCallback(
    (action) =>
      (...args) => {
        if (isMounted.current) action(...args)
      },
    [],
  )
}
