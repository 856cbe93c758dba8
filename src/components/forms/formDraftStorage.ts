/** Form input, stored in session storage until it is sent: it survives a reload and navigation. */
export function readFormDraft<Values extends object>(storage: Storage, name: string): Partial<Values> | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(getStorageKey(name)) ?? 'null')
    return stored && typeof stored === 'object' ? (stored as Partial<Values>) : null
  } catch {
    return null
  }
}

/** @returns false if session storage is full. */
export function saveFormDraft(storage: Storage, name: string, values: object): boolean {
  try {
    storage.setItem(getStorageKey(name), JSON.stringify(values))
    return true
  } catch {
    storage.removeItem(getStorageKey(name))
    return false
  }
}

export const deleteFormDraft = (storage: Storage, name: string): void => storage.removeItem(getStorageKey(name))

const getStorageKey = (name: string) => `loupe.draft.${name}`
