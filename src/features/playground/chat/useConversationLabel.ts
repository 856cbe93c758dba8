import { contract } from '#contract/index.ts'
import { useRead } from '../../../client/query.ts'

/** What the ledger calls a conversation; null while it has no name or is not known. */
export function useConversationLabel(workspace: string, conversation: string | null): string | null {
  const query = { kind: 'conversation' as const, workspace, id: conversation ?? undefined, limit: 1 }
  const read = useRead(contract.console.listResources, { query }, { enabled: conversation !== null })
  const resource = read.data?.data.find(({ id }) => id === conversation)
  return conversation === null ? null : (resource?.label ?? null)
}
