import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './DisabledFieldset.module.css'

/**
 * Makes fields read-only: the browser disables every control within. A control that is focused loses the focus by that, and has it
 * again when the fields are enabled, unless the focus has moved to something else.
 */
export function DisabledFieldset({ isDisabled, children }: { isDisabled: boolean; children: ReactNode }) {
  const element = useRef<HTMLFieldSetElement>(null)
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (isDisabled) focused.current = element.current?.contains(activeElement) ? activeElement : null
    else if (activeElement === body && focused.current instanceof HTMLElement) focused.current.focus()
  }, [isDisabled])
  return (
    <fieldset ref={element} className={classes.locked} disabled={isDisabled}>
      {children}
    </fieldset>
  )
}
