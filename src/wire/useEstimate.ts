import { Estimate, ESTIMATE } from '#contract/estimate.ts'
import { contract } from '#contract/index.ts'
import { useRead, useWrite } from './query.ts'

export interface KeptEstimate {
  estimate: Estimate
  person: string | null
  created_at: string
}

/** What the chunk lab had estimated when a document was last sent; null where nothing is known, undefined until it is read. */
export function useEstimate(document_id: string, workspace: string | undefined): KeptEstimate | null | undefined {
  const { data, isPlaceholderData } = useRead(
    contract.console.listKept,
    { query: { kind: 'mark', workspace: workspace ?? '', about: document_id } },
    { enabled: workspace !== undefined },
  )
  if (!data || isPlaceholderData) return undefined
  const kept = data.data.find(({ name }) => name === ESTIMATE)
  const estimate = Estimate.safeParse(kept?.value).data
  return kept && estimate ? { estimate, person: kept.person, created_at: kept.created_at } : null
}

/** Keeps what was estimated of a document that was just sent; null takes away what was estimated of it before. */
export function useKeepEstimate(workspace: string) {
  const create = useWrite(contract.console.createKept)
  return {
    keep: (document_id: string, estimate: Estimate | null) =>
      create.mutate({ body: { kind: 'mark', workspace, about: document_id, name: ESTIMATE, value: estimate ?? {} } }),
    problem: create.error?.problem ?? null,
  }
}
