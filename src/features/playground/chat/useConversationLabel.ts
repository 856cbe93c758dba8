import { contract } from '#contract/index.ts'
import { useRead } from '../../../client/query.ts'

/** The name of a conversation in the ledger; null without a name or if unknown. */
export function useConversationLabel(workspace: string, conversation: string | null): string | null {
  const query = { kind: 'conversation' as const, workspace, id: conversation ?? undefined, limit: 1 }
  const read = useRead(contract.console.listResources, { query }, { enabled: conversation !== null })
  const resource = read.data?.data.find(({ id }) => id === conversation)
  return conversation === null ? null : (resource?.label ?? null)
}
