import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { isIndexingFinal } from '#domain/documentRecord.ts'
import { type DocumentListTarget, readAllDocuments, type WholeDocumentList } from './readAllDocuments.ts'

/** A list of so few requests is looked at again while documents of it are indexed. */
const MAX_POLLED_REQUESTS = 2
const INDEXING_POLL_INTERVAL_MS = 2_000

/** All documents of a dataset where the screen needs them, with how far reading them has come. */
export function useWholeDocumentList(target: DocumentListTarget | null) {
  const [progress, setProgress] = useState<{ read: number; total: number } | null>(null)
  const read = useQuery<WholeDocumentList, ProblemError>({
    queryKey: ['documents', 'whole', target],
    queryFn: ({ signal }) => {
      if (!target) throw new Error('There is no list to read.')
      return readAllDocuments(target, signal, setProgress)
    },
    meta: { shows: documentEndpoints.list.tags },
    enabled: target !== null,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) =>
      data && data.requests <= MAX_POLLED_REQUESTS && data.documents.some((document) => !isIndexingFinal(document))
        ? INDEXING_POLL_INTERVAL_MS
        : false,
  })
  return { ...read, progress: read.data ? null : progress }
}
