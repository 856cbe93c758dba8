import { useEffect, useRef } from 'react'

/** How long a screen may take to draw its heading. */
const HEADING_TIMEOUT_MS = 5_000

/**
 * Moves the focus to the heading of a screen after navigation, so that the next Tab is in the screen and a screen
 * reader says where one is. Leaves a field alone that the screen has focused itself, a list that restores its row, and
 * the first screen, which begins with the skip link.
 */
export function useHeadingFocus(pathname: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    const main = document.querySelector('main')
    if (!main) return
    const before = document.activeElement
    const focusHeading = () => {
      const active = document.activeElement
      const hasFocusMoved = active !== document.body && active !== before
      const heading = main.querySelector('h1')
      const isDone = hasFocusMoved || (active !== document.body && main.contains(active))
      if (!isDone && heading) {
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
      }
      if (isDone || heading) observer.disconnect()
    }
    const observer = new MutationObserver(focusHeading)
    observer.observe(main, { childList: true, subtree: true })
    focusHeading()
    const timer = setTimeout(() => observer.disconnect(), HEADING_TIMEOUT_MS)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [pathname])
}
