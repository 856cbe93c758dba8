import { contract } from '#contract/index.ts'
import { useRead } from '../../wire/query.ts'

/** What the ledger calls a conversation; null while it has no name or is not known. */
export function useLabel(workspace: string, conversation: string | null): string | null {
  const query = { kind: 'conversation' as const, workspace, id: conversation ?? undefined, limit: 1 }
  const read = useRead(contract.console.listThings, { query }, { enabled: conversation !== null })
  const thing = read.data?.data.find(({ id }) => id === conversation)
  return conversation === null ? null : (thing?.label ?? null)
}
