/** What was typed into a form, kept in the tab under a name until it is sent: it survives a reload and a look elsewhere. */
export function readDraft<Values extends object>(storage: Storage, name: string): Partial<Values> | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(name)) ?? 'null')
    return kept && typeof kept === 'object' ? (kept as Partial<Values>) : null
  } catch {
    return null
  }
}

/** @returns false where the tab's storage has no room for it. */
export function keepDraft(storage: Storage, name: string, values: object): boolean {
  try {
    storage.setItem(keyOf(name), JSON.stringify(values))
    return true
  } catch {
    storage.removeItem(keyOf(name))
    return false
  }
}

export const dropDraft = (storage: Storage, name: string): void => storage.removeItem(keyOf(name))

const keyOf = (name: string) => `loupe.draft.${name}`
