import { resourceEndpoints } from '#contract/console/resources.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../../client/query.ts'
import { toConversationLabel } from './conversations/conversationList.ts'

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
  // The read of the list beside it: equal reads are one request.
  const listed = useRead(
    optionalMessageEndpoints.listConversations,
    { key: app.id, query: { user, limit: 100 } },
    { enabled: conversation !== null && user !== '' && app.offers.includes('listConversations') },
  )
  if (conversation === null) return null
  const platformName = listed.data?.data.find(({ id }) => id === conversation)?.name
  return toConversationLabel(platformName, read.data?.data.find(({ id }) => id === conversation)?.label)
}
