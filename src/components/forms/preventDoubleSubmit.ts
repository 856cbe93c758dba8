/** What a second press must not do again: a form that is sent, and whatever says so by `data-once`. */
const SUBMIT_SELECTOR = 'button[type="submit"], input[type="submit"], [data-once]'

/**
 * Whoever presses twice means it once: the second click of a double click does no deed again, nor does Enter that is held
 * down, but in a text of several lines. A run that is begun twice is paid twice.
 * @returns what ends it.
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
