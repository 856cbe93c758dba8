import { resourceEndpoints } from '#contract/console/resources.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../../client/query.ts'
import { listConversations } from './conversationList.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { chatMessages } from '../messages.ts'

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
