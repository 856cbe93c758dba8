import { resourceEndpoints, type Resource } from '#contract/console/resources.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../../client/query.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'
import type { EndpointReply } from '#contract/endpoint.ts'

/**
 * The conversations of an app that match the search, grouped by day, from the ledger and from the platform if it
 * lists them.
 */
export function useConversations(workspace: string, app: Key, user: string, search: string | null) {
  const t = useMessages(chatMessages)
  const query = { kind: 'conversation' as const, workspace, parent: app.id, q: search || undefined, limit: 100 }
  const read = useRead(resourceEndpoints.listResources, { query }, { pollIntervalMs: 15_000 })
  const isFromPlatform = app.offers.includes('listConversations')
  const platformConversations = useRead(
    optionalMessageEndpoints.listConversations,
    { key: app.id, query: { user, limit: 100 } },
    { enabled: isFromPlatform && user !== '', pollIntervalMs: 60_000 },
  )
  const conversations = listConversations(
    read.data?.data ?? [],
    isFromPlatform ? (platformConversations.data?.data ?? []) : [],
    search ?? '',
  )
  const groups = [
    { name: t('today'), listed: conversations.filter(({ updatedAt }) => isToday(updatedAt)) },
    { name: t('earlier'), listed: conversations.filter(({ updatedAt }) => !isToday(updatedAt)) },
  ].filter(({ listed }) => listed.length > 0)
  return {
    read,
    isFromPlatform,
    platformConversations,
    groups,
    isEmpty: conversations.length === 0,
    hiddenCount: (read.data?.total ?? 0) - (read.data?.data.length ?? 0),
  }
}

const isToday = (time: number): boolean => new Date(time).toDateString() === new Date().toDateString()

type PlatformConversation = EndpointReply<typeof optionalMessageEndpoints.listConversations>['data'][number]

/** The platform's name, else ours, which is the first question. A platform calls what it has not named yet "New conversation". */
export const toConversationLabel = (platformName: string | null | undefined, label: string | null | undefined) =>
  (platformName && platformName !== 'New conversation' ? platformName : label || platformName) || null

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

/**
 * The name of a conversation: the platform's own where it lists conversations (it names a new one after its first
 * answer), else the one in the ledger; null without a name or if unknown.
 */
export function useConversationLabel(
  workspace: string,
  app: Key,
  user: string,
  conversation: string | null,
): string | null {
  const query = { kind: 'conversation' as const, workspace, id: conversation ?? undefined, limit: 1 }
  const read = useRead(resourceEndpoints.listResources, { query }, { enabled: conversation !== null })
  // The same read as the list: equal reads are one request.
  const listed = useRead(
    optionalMessageEndpoints.listConversations,
    { key: app.id, query: { user, limit: 100 } },
    { enabled: conversation !== null && user !== '' && app.offers.includes('listConversations') },
  )
  if (conversation === null) return null
  const platformName = listed.data?.data.find(({ id }) => id === conversation)?.name
  return toConversationLabel(platformName, read.data?.data.find(({ id }) => id === conversation)?.label)
}
