import { useMemo } from 'react'
import type { Problem } from '#contract/problem.ts'
import { idLookupEndpoints } from '#contract/console/resources.ts'
import { useRead } from '../../../../client/query.ts'

export interface RetrievedDocumentsState {
  /** Null while it is not known. */
  documents: ReadonlySet<string> | null
  /** How many questions were looked at, and whether there are more of these days. */
  questions: number
  isComplete: boolean
  problem: Problem | null
}

/** The documents of a dataset that questions of the last days found, as far as this console saw them. */
export function useRetrievedDocuments(
  dataset_id: string,
  workspace: string | undefined,
  days: number | null,
): RetrievedDocumentsState {
  const { data, error } = useRead(
    idLookupEndpoints.listRetrievedDocuments,
    { query: { workspace: workspace ?? '', dataset: dataset_id, days: days ?? 1 } },
    { enabled: workspace !== undefined && days !== null },
  )
  const documents = useMemo(() => (data ? new Set(data.data.map(({ id }) => id)) : null), [data])
  return {
    documents: days === null ? null : documents,
    questions: data?.questions ?? 0,
    isComplete: data?.is_complete ?? true,
    problem: error?.problem ?? null,
  }
}
