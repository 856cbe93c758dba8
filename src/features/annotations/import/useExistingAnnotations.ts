import { useQuery } from '@tanstack/react-query'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { readAnnotationPages } from '../export/annotationExport.ts'

/** Annotations that an import is compared with, at most: 200 pages of the platform's list. */
export const MAX_COMPARED_ANNOTATIONS = 20_000

export interface ExistingAnnotations {
  /** Question and answer. */
  pairs: [question: string, answer: string][]
  total: number
}

/** The annotations that an app has before an import, from the platform's list, else from the ledger. */
export function useExistingAnnotations(workspace: string, app: Key, isNeeded: boolean) {
  const read = useQuery({
    queryKey: ['annotations before an import', workspace, app.id],
    queryFn: ({ signal }) => readExisting(workspace, app, signal),
    enabled: isNeeded,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const problem: Problem | null =
    read.error === null
      ? null
      : read.error instanceof ProblemError
        ? read.error.problem
        : { kind: 'fault', message: read.error.message }
  return {
    existing: read.data ?? null,
    version: read.dataUpdatedAt,
    isLoading: isNeeded && read.isPending,
    problem,
    retry: () => void read.refetch(),
  }
}

async function readExisting(workspace: string, app: Key, signal: AbortSignal): Promise<ExistingAnnotations> {
  const pairs: ExistingAnnotations['pairs'] = []
  let total = 0
  for await (const page of readAnnotationPages(workspace, app, signal)) {
    total = page.total
    for (const { question, answer } of page.rows) if (question !== null) pairs.push([question, answer ?? ''])
    if (pairs.length >= MAX_COMPARED_ANNOTATIONS) break
  }
  return { pairs, total }
}
