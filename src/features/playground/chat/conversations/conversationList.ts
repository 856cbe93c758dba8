import type { Resource } from '#contract/console/consoleEndpoints.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'

type PlatformConversation = EndpointReply<typeof contract.adjacent.listConversations>['data'][number]

/** A conversation as the list shows it. */
export interface ListedConversation {
  id: string
  label: string | null
  /** When something was last said in it, as far as is known: milliseconds since 1970. */
  updatedAt: number
  /** Who knows of it. A conversation that the platform does not list may belong to another user. */
  source: 'console' | 'platform' | 'both'
}

/**
 * The conversations that this console has met and those that the platform lists for one user, newest first, each once. A
 * name and a time by the platform count before what was seen earlier. `search` is held against the platform's names, as
 * it was against the console's.
 */
export function listConversations(
  resources: readonly Resource[],
  platformConversations: readonly PlatformConversation[],
  search: string,
): ListedConversation[] {
  const words = search.toLocaleLowerCase()
  const conversationsById = new Map<string, ListedConversation>(
    resources.map(({ id, label, last_seen }) => [
      id,
      { id, label, updatedAt: Date.parse(last_seen), source: 'console' },
    ]),
  )
  for (const { id, name, updated_at, created_at } of platformConversations) {
    const consoleConversation = conversationsById.get(id)
    if (!consoleConversation && !(name ?? '').toLocaleLowerCase().includes(words)) continue
    const platformConversation = updated_at ?? created_at
    const at = platformConversation ? platformConversation * 1000 : (consoleConversation?.updatedAt ?? 0)
    conversationsById.set(id, {
      id,
      label: name || (consoleConversation?.label ?? null),
      updatedAt: at,
      source: consoleConversation ? 'both' : 'platform',
    })
  }
  return [...conversationsById.values()].sort((a, b) => b.updatedAt - a.updatedAt)
}
