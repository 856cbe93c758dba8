import type { Thing } from '#contract/console.ts'
import type { Reply } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'

type Told = Reply<typeof contract.adjacent.listConversations>['data'][number]

/** A conversation as the list shows it. */
export interface Listed {
  id: string
  label: string | null
  /** When something was last said in it, as far as is known: milliseconds since 1970. */
  at: number
  /** Who knows of it. A conversation that the platform does not list may belong to another user. */
  by: 'console' | 'platform' | 'both'
}

/**
 * The conversations that this console has met and those that the platform lists for one user, newest first, each once. A
 * name and a time by the platform count before what was seen earlier. `search` is held against the platform's names, as
 * it was against the console's.
 */
export function listedOf(things: readonly Thing[], told: readonly Told[], search: string): Listed[] {
  const words = search.toLocaleLowerCase()
  const listed = new Map<string, Listed>(
    things.map(({ id, label, last_seen }) => [id, { id, label, at: Date.parse(last_seen), by: 'console' }]),
  )
  for (const { id, name, updated_at, created_at } of told) {
    const seen = listed.get(id)
    if (!seen && !(name ?? '').toLocaleLowerCase().includes(words)) continue
    const said = updated_at ?? created_at
    const at = said ? said * 1000 : (seen?.at ?? 0)
    listed.set(id, { id, label: name || (seen?.label ?? null), at, by: seen ? 'both' : 'platform' })
  }
  return [...listed.values()].sort((a, b) => b.at - a.at)
}
