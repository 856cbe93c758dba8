import { isSubmitShortcutOf } from '../hooks/modifierKey.ts'

/**
 * The modifier and Enter press the submit button of the form around the focus. A form that handles them itself has
 * prevented their default. @returns a function that removes the listener.
 */
export function submitByShortcut(page: Document): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !isSubmitShortcutOf(event) || !(event.target instanceof Element)) return
    const controls = [...(event.target.closest('form')?.elements ?? [])]
    const button = controls.find((control) => control instanceof HTMLButtonElement && control.type === 'submit')
    if (!(button instanceof HTMLButtonElement)) return
    event.preventDefault()
    button.click()
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
