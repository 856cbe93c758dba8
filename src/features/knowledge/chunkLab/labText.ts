/** Where the text of the lab's own page lies in session storage, as JSON. */
export const LAB_TEXT_KEY = 'loupe.lab.text'

export function readLabText(): string | null {
  try {
    const text: unknown = JSON.parse(sessionStorage.getItem(LAB_TEXT_KEY) ?? 'null')
    return typeof text === 'string' && text !== '' ? text : null
  } catch {
    return null
  }
}

/** Stores a text for the lab; one that is too long for the storage is dropped. */
export function saveLabText(text: string): void {
  try {
    sessionStorage.setItem(LAB_TEXT_KEY, JSON.stringify(text))
  } catch {
    sessionStorage.removeItem(LAB_TEXT_KEY)
  }
}
