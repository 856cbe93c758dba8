import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { REVEAL_EVENT } from '../../../../components/markdown/FrameHighlight.tsx'

/** Distance in pixels within which a view counts as scrolled to the end. */
const STICK_DISTANCE_PX = 48
/** How long after an action of the person the view may move because of it (ms). */
const ACTION_WINDOW_MS = 1_000
/** What moves a view: a wheel, a finger, a key, the scroll bar, a text that is selected, a frame whose words are shown. */
const ACTIONS = ['wheel', 'touchmove', 'pointerdown', 'keydown', REVEAL_EVENT] as const
const UPWARD_KEYS = ['ArrowUp', 'PageUp', 'Home']
const FIELDS = 'textarea, input, select'
const CONTROLS = `button, a, summary, label, ${FIELDS}`

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
    let actedAt = -Infinity
    let isPressed = false
    const onAction = (event: Event) => {
      const target = event.target as Element
      // Typing and pressing a button move nothing, though what they change does.
      if (event instanceof KeyboardEvent && !isUpwardKey(event.key, target)) return
      if (event.type === 'pointerdown') isPressed = element.contains(target) && !target.closest(CONTROLS)
      if (event.type !== 'pointerdown' || target === element) actedAt = performance.now()
    }
    const onRelease = () => {
      isPressed = false
    }
    const follow = () => {
      if (isStuck.current) element.scrollTo({ top: element.scrollHeight })
    }
    const onScroll = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < STICK_DISTANCE_PX
      const isAction = isPressed || performance.now() - actedAt < ACTION_WINDOW_MS
      // Content that shrinks or is laid out later also moves the view: only the person ends the following.
      if (near) isStuck.current = true
      else if (element.scrollTop < top && isAction) isStuck.current = false
      top = element.scrollTop
      setScrolledAway(!near && !isStuck.current)
    }
    const observer = new ResizeObserver(follow)
    observer.observe(inner)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    for (const action of ACTIONS) document.addEventListener(action, onAction, { passive: true, capture: true })
    for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, onRelease, { capture: true })
    return () => {
      observer.disconnect()
      for (const action of ACTIONS) document.removeEventListener(action, onAction, { capture: true })
      for (const end of ['pointerup', 'pointercancel']) document.removeEventListener(end, onRelease, { capture: true })
      element.removeEventListener('scroll', onScroll)
    }
  }, [])

  return { view: viewport, content, isAway: isScrolledAway, jump: scrollToEnd }
}

const isUpwardKey = (key: string, target: Element): boolean =>
  key === 'Tab' || (key === ' ' ? !target.closest(CONTROLS) : UPWARD_KEYS.includes(key) && !target.closest(FIELDS))
