const OWNER_KEY = 'loupe.person'

/** Deletes the drafts of this tab. The current page is still open and may store one again. */
export function deleteTabDrafts(): void {
  sessionStorage.clear()
  addEventListener('pagehide', () => sessionStorage.clear())
}

let hasForeign = false

/** Whether this page has drafts of another person. They are in its memory, too, until it is loaded again. */
export function hasForeignDrafts(person_id: string): boolean {
  const owner = readOwner()
  hasForeign ||= owner !== null && owner !== person_id
  return hasForeign
}

/** Drafts that are stored from now on are those of this person, also after the session has ended. */
export function claimTabDrafts(person_id: string): void {
  try {
    sessionStorage.setItem(OWNER_KEY, person_id)
  } catch {
    // Storage is full or disabled, and takes no drafts either.
  }
}

function readOwner(): string | null {
  try {
    return sessionStorage.getItem(OWNER_KEY)
  } catch {
    return null
  }
}
