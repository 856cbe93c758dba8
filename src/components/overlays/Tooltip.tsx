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
  /** The preferred position; top and bottom flip at the edges of the window. */
  position?: 'top' | 'right'
  disabled?: boolean
  /** One element that receives hover and focus. */
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

const SHOW_DELAY_MS = 300

/**
 * A short text on hover and focus; Escape hides it. Mantine's tooltip would add a layout engine of 16 KiB to the
 * first load, only to label buttons.
 */
export function Tooltip({ label, position = 'top', disabled = false, children }: TooltipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const [isHovered, setHovered] = useState<{ element: HTMLElement; wait: number } | null>(null)
  const isShown = anchor !== null && !disabled
  useEffect(() => {
    if (!isHovered) return
    const timer = setTimeout(() => setAnchor(isHovered.element.getBoundingClientRect()), isHovered.wait)
    return () => clearTimeout(timer)
  }, [isHovered])
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
    setHovered(null)
    setAnchor(null)
  }
  const target = cloneElement(children, {
    // Skip the description if it equals the element's own label, which would be read twice.
    'aria-describedby': isShown && own['aria-label'] !== label ? id : own['aria-describedby'],
    onMouseEnter: (event: MouseEvent<HTMLElement>) => {
      own.onMouseEnter?.(event)
      setHovered({ element: event.currentTarget, wait: SHOW_DELAY_MS })
    },
    onMouseLeave: (event: MouseEvent<HTMLElement>) => {
      own.onMouseLeave?.(event)
      hide()
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) setHovered({ element: event.currentTarget, wait: 0 })
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
            <div role="tooltip" id={id} className={classes.tooltip} style={getTooltipPosition(anchor, position)}>
              {label}
            </div>,
            document.body,
          )
        : null}
    </>
  )
}

const ANCHOR_GAP_PX = 6
const VIEWPORT_MARGIN_PX = 8
const MIN_SPACE_ABOVE_PX = 40

/** Next to the anchor and inside the window, without measuring: near an edge it grows away from it. */
function getTooltipPosition(anchor: DOMRect, position: 'top' | 'right') {
  if (position === 'right')
    return { left: anchor.right + ANCHOR_GAP_PX, top: anchor.top + anchor.height / 2, transform: 'translateY(-50%)' }
  const vertical =
    anchor.top > MIN_SPACE_ABOVE_PX
      ? { bottom: innerHeight - anchor.top + ANCHOR_GAP_PX }
      : { top: anchor.bottom + ANCHOR_GAP_PX }
  const middle = anchor.left + anchor.width / 2
  if (middle < innerWidth / 4) return { ...vertical, left: Math.max(VIEWPORT_MARGIN_PX, anchor.left) }
  if (middle > (innerWidth * 3) / 4)
    return { ...vertical, right: Math.max(VIEWPORT_MARGIN_PX, innerWidth - anchor.right) }
  return { ...vertical, left: middle, transform: 'translateX(-50%)' }
}
