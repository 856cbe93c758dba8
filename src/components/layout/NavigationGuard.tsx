import { type ReactNode, useContext, useMemo } from 'react'
import { createPath, type Navigator, parsePath, UNSAFE_NavigationContext as NavigationContext } from 'react-router'

/** The questions before a navigation discards unsaved work; the newest one is asked. */
export const leaveQuestions = new Set<(path: string) => void>()

/**
 * Asks before links, shortcuts, the command palette and selects lead to another path. A replacement, as after a deletion or
 * at the end of the session, is not asked about. `useBlocker` would add 18 KiB to the first load.
 */
export function NavigationGuard({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext)
  const guarded = useMemo(() => {
    const { navigator } = context
    const push: Navigator['push'] = (to, ...rest) => {
      const path = typeof to === 'string' ? to : createPath(to)
      const ask = [...leaveQuestions].at(-1)
      if (ask && parsePath(path).pathname !== location.pathname) ask(path)
      else navigator.push(to, ...rest)
    }
    return { ...context, navigator: Object.assign(Object.create(navigator) as Navigator, { push }) }
  }, [context])
  return <NavigationContext value={guarded}>{children}</NavigationContext>
}
