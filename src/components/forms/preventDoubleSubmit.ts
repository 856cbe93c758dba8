/** Controls that must not act twice: submit buttons, and any marked with `data-once`. */
const SUBMIT_SELECTOR = 'button[type="submit"], input[type="submit"], [data-once]'

/**
 * Ignores the second click of a double click, and a repeated Enter outside of a textarea. A run that starts twice is
 * paid twice. @returns a function that removes the listeners.
 */
export function preventDoubleSubmit(page: Document): () => void {
  const onClick = (event: MouseEvent) => {
    if (event.detail > 1 && event.target instanceof Element && event.target.closest(SUBMIT_SELECTOR)) stopEvent(event)
  }
  const onKey = (event: KeyboardEvent) => {
    if (!event.repeat || event.key !== 'Enter') return
    const writes = event.target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey
    if (!writes) stopEvent(event)
  }
  page.addEventListener('click', onClick, true)
  page.addEventListener('keydown', onKey, true)
  return () => {
    page.removeEventListener('click', onClick, true)
    page.removeEventListener('keydown', onKey, true)
  }
}

function stopEvent(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
