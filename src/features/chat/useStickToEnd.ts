import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to its end, in pixels, a view counts as standing there. */
const NEAR = 48

/**
 * Keeps a scrolling view at its end while its content grows, until the person scrolls away; then it stays put.
 * `subject` names what is shown: another one is shown from its end.
 */
export function useStickToEnd(subject: string) {
  const view = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const [isAway, setAway] = useState(false)
  const jump = useCallback(() => {
    sticks.current = true
    view.current?.scrollTo({ top: view.current.scrollHeight })
  }, [])

  useLayoutEffect(jump, [jump, subject])

  useEffect(() => {
    const element = view.current
    const inner = content.current
    if (!element || !inner) return
    let top = element.scrollTop
    let height = element.scrollHeight
    const follow = () => {
      if (sticks.current) element.scrollTo({ top: element.scrollHeight })
    }
    const onScroll = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
      // Content that shrinks moves the view up as well; only moving up without it is the person's wish to stay.
      if (near) sticks.current = true
      else if (element.scrollTop < top && element.scrollHeight >= height) sticks.current = false
      top = element.scrollTop
      height = element.scrollHeight
      setAway(!near && !sticks.current)
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])

  return { view, content, isAway, jump }
}
