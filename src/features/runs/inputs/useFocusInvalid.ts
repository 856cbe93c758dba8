import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to the first wrong field of a form when it is found to have errors. @returns the ref of the form, or of what is around it */
export function useFocusInvalid<Root extends HTMLElement = HTMLFormElement>(errors: object): RefObject<Root | null> {
  const form = useRef<Root>(null)
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    const invalid = form.current?.querySelector<HTMLElement>(
      '[aria-invalid="true"], [data-fault] :is(input, button, select, textarea)',
    )
    invalid?.focus()
  }, [errors])
  return form
}
