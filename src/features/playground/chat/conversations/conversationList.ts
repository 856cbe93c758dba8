import type { EndpointReply } from '#contract/endpoint.ts'
import type { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Resource } from '#contract/console/resources.ts'

type PlatformConversation = EndpointReply<typeof optionalMessageEndpoints.listConversations>['data'][number]

/** The platform's name, else ours, which is the first question. A platform calls what it has not named yet "New conversation". */
export const toConversationLabel = (platformName: string | null | undefined, label: string | null | undefined) =>
  (platformName && platformName !== 'New conversation' ? platformName : label || platformName) || null

/** A conversation in the list. */
export interface ListedConversation {
  id: string
  label: string | null
  /** Time of the last known message (Unix ms). */
  updatedAt: number
  /** Where the conversation was found. One that the platform does not list may belong to another user. */
  source: 'console' | 'platform' | 'both'
}

/**
 * Merges the conversations of the ledger with those that the platform lists for one user, newest first. The
 * platform's name and time win. `search` filters the platform's names; the ledger filters its own.
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
      label: toConversationLabel(name, consoleConversation?.label),
      updatedAt: at,
      source: consoleConversation ? 'both' : 'platform',
    })
  }
  return [...conversationsById.values()].sort((a, b) => b.updatedAt - a.updatedAt)
}
