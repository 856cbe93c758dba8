import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import classes from './Tooltip.module.css'

export interface TooltipProps {
  label: ReactNode
  /** Where it stands if there is room; above and below change places at the edges of the window. */
  position?: 'top' | 'right'
  disabled?: boolean
  /** One element that takes a pointer or the focus. */
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

const DELAY = 300

/**
 * A few words beside what one points at or has gone to with the keyboard; Escape puts them away.
 * Mantine's own brings a layout engine of 16 KiB into the first load, for names of buttons.
 */
export function Tooltip({ label, position = 'top', disabled = false, children }: TooltipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const [over, setOver] = useState<{ element: HTMLElement; wait: number } | null>(null)
  const isShown = anchor !== null && !disabled
  useEffect(() => {
    if (!over) return
    const timer = setTimeout(() => setAnchor(over.element.getBoundingClientRect()), over.wait)
    return () => clearTimeout(timer)
  }, [over])
  useEffect(() => {
    if (!isShown) return
    const hide = () => setAnchor(null)
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    addEventListener('keydown', onKey)
    addEventListener('scroll', hide, true)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('scroll', hide, true)
    }
  }, [isShown])

  const own = children.props
  const hide = () => {
    setOver(null)
    setAnchor(null)
  }
  const target = cloneElement(children, {
    // A name that is the element's own already is not read twice.
    'aria-describedby': isShown && own['aria-label'] !== label ? id : own['aria-describedby'],
    onMouseEnter: (event: MouseEvent<HTMLElement>) => {
      own.onMouseEnter?.(event)
      setOver({ element: event.currentTarget, wait: DELAY })
    },
    onMouseLeave: (event: MouseEvent<HTMLElement>) => {
      own.onMouseLeave?.(event)
      hide()
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) setOver({ element: event.currentTarget, wait: 0 })
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      own.onBlur?.(event)
      hide()
    },
  })
  return (
    <>
      {target}
      {isShown
        ? createPortal(
            <div role="tooltip" id={id} className={classes.tooltip} style={placeOf(anchor, position)}>
              {label}
            </div>,
            document.body,
          )
        : null}
    </>
  )
}

const GAP = 6
const EDGE = 8
const HIGH = 40

/** Beside the anchor and inside the window, whatever its own width is: near an edge it grows away from it. */
function placeOf(anchor: DOMRect, position: 'top' | 'right') {
  if (position === 'right')
    return { left: anchor.right + GAP, top: anchor.top + anchor.height / 2, transform: 'translateY(-50%)' }
  const vertical = anchor.top > HIGH ? { bottom: innerHeight - anchor.top + GAP } : { top: anchor.bottom + GAP }
  const middle = anchor.left + anchor.width / 2
  if (middle < innerWidth / 4) return { ...vertical, left: Math.max(EDGE, anchor.left) }
  if (middle > (innerWidth * 3) / 4) return { ...vertical, right: Math.max(EDGE, innerWidth - anchor.right) }
  return { ...vertical, left: middle, transform: 'translateX(-50%)' }
}
