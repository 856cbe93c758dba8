/** What was typed into a form, kept in the tab under a name until it is sent: it survives a reload and a look elsewhere. */
export function readFormDraft<Values extends object>(storage: Storage, name: string): Partial<Values> | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(getStorageKey(name)) ?? 'null')
    return stored && typeof stored === 'object' ? (stored as Partial<Values>) : null
  } catch {
    return null
  }
}

/** @returns false where the tab's storage has no room for it. */
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
