import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { ChunkEstimate, CHUNK_ESTIMATE_NAME } from '#domain/chunking/chunkEstimate.ts'
import { useRead, useWrite } from '../../../client/query.ts'

export interface SavedEstimate {
  estimate: ChunkEstimate
  person: string | null
  created_at: string
}

/** The chunk lab's estimate when a document was last sent; null without one, undefined while loading. */
export function useSavedEstimate(document_id: string, workspace: string | undefined): SavedEstimate | null | undefined {
  const { data } = useRead(
    savedItemEndpoints.listSavedItems,
    { query: { kind: 'mark', workspace: workspace ?? '', about: document_id } },
    { enabled: workspace !== undefined },
  )
  if (!data) return undefined
  const savedItem = data.data.find(({ name }) => name === CHUNK_ESTIMATE_NAME)
  const estimate = ChunkEstimate.safeParse(savedItem?.value).data
  return savedItem && estimate ? { estimate, person: savedItem.person, created_at: savedItem.created_at } : null
}

/** Stores the estimate of a document that was just sent; null removes an earlier one. */
export function useSaveEstimate(workspace: string) {
  const create = useWrite(savedItemEndpoints.createSavedItem)
  return {
    keep: (document_id: string, estimate: ChunkEstimate | null) =>
      create.mutate({
        body: { kind: 'mark', workspace, about: document_id, name: CHUNK_ESTIMATE_NAME, value: estimate ?? {} },
      }),
    problem: create.error?.problem ?? null,
  }
}
