import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance in pixels within which a view counts as scrolled to the end. */
const STICK_DISTANCE_PX = 48

/**
 * Keeps a growing view scrolled to its end until the person scrolls away. `subject` identifies the content: a new
 * subject starts at its end.
 */
export function useStickToBottom(subject: string) {
  const viewport = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isStuck = useRef(true)
  const [isScrolledAway, setScrolledAway] = useState(false)
  const scrollToEnd = useCallback(() => {
    isStuck.current = true
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight })
  }, [])

  useLayoutEffect(scrollToEnd, [scrollToEnd, subject])

  useEffect(() => {
    const element = viewport.current
    const inner = content.current
    if (!element || !inner) return
    let top = element.scrollTop
    let height = element.scrollHeight
    const follow = () => {
      if (isStuck.current) element.scrollTo({ top: element.scrollHeight })
    }
    const onScroll = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < STICK_DISTANCE_PX
      // Shrinking content also scrolls the view up; only scrolling up without shrinking is the person's action.
      if (near) isStuck.current = true
      else if (element.scrollTop < top && element.scrollHeight >= height) isStuck.current = false
      top = element.scrollTop
      height = element.scrollHeight
      setScrolledAway(!near && !isStuck.current)
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

  return { view: viewport, content, isAway: isScrolledAway, jump: scrollToEnd }
}
