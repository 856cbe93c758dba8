const OWNER_KEY = 'loupe.person'

/** Deletes what was typed in this tab. Until the next page is here this one goes on, and may store a draft again. */
export function deleteTabDrafts(): void {
  sessionStorage.clear()
  addEventListener('pagehide', () => sessionStorage.clear())
}

/** Whether the drafts of this tab are those of another person. */
export function hasForeignDrafts(person_id: string): boolean {
  const owner = sessionStorage.getItem(OWNER_KEY)
  return owner !== null && owner !== person_id
}

/** Drafts that are stored from now on are those of this person, also after the session has ended. */
export const claimTabDrafts = (person_id: string): void => sessionStorage.setItem(OWNER_KEY, person_id)
