import { contract } from '#contract/index.ts'
import { useRead } from './query.ts'
import { documentOf, isFinal } from '#contract/records.ts'

export interface DocumentInput {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  /** The knowledge key's id. */
  key: string | undefined
}

/**
 * One document: the interface has no call that reads one, so it is looked for by its name in the list (operation 6), and
 * the ledger's last record stands in where it is not found there.
 */
export function useDocument({ dataset_id, document_id, workspace, key }: DocumentInput) {
  const things = useRead(
    contract.console.listThings,
    { query: { kind: 'document', id: document_id, workspace, limit: 1 } },
    { enabled: workspace !== undefined },
  )
  const thing = things.data?.data.find(({ id }) => id === document_id)
  const listed = useRead(
    contract.documents.list,
    { key, params: { dataset_id }, query: { keyword: thing?.label?.slice(0, 255), limit: 100 } },
    {
      enabled: !things.isPending,
      poll: (reply) => {
        const found = reply?.data.find(({ id }) => id === document_id)
        return found && !isFinal(found) ? 1000 : false
      },
    },
  )
  const live = listed.data?.data.find(({ id }) => id === document_id)
  return {
    name: live?.name ?? thing?.label ?? null,
    record: live ?? documentOf(thing?.payload),
    /** True where the platform listed it just now. */
    isLive: live !== undefined,
    at: listed.dataUpdatedAt,
    isLoading: things.isPending || (key !== undefined && listed.isPending),
    problem: listed.error?.problem ?? things.error?.problem ?? null,
    retry: () => void (things.error ? things.refetch() : listed.refetch()),
  }
}
