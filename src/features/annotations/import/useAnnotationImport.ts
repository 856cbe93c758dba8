import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { useBatchCreation } from '../tableImport/useBatchCreation.ts'
import { EMPTY_TABLE_DRAFT, useImportTable } from '../tableImport/useImportTable.ts'
import { ANNOTATION_IMPORT_FIELDS } from '../tableImport/columnMapping.ts'
import { readAnnotationPages } from '../annotationExport.ts'

/** The table of an import, its comparison with what exists, and the batch that it becomes. */
export function useAnnotationImport(workspace: string, app: Key) {
  const navigate = useNavigate()
  const [name, setName] = useState<string | null>(null)
  const [draft, setDraft] = useState(EMPTY_TABLE_DRAFT)
  const { existing, version, isLoading, ...comparison } = useExistingAnnotations(workspace, app, draft.source !== null)
  const imported = useImportTable({
    controls: ANNOTATION_IMPORT_FIELDS,
    needsInput: true,
    draft,
    onDraft: setDraft,
    duplicateCheck: { keyField: 'question', valueField: 'answer', existing: existing?.pairs ?? [], version },
    isWaiting: isLoading,
  })
  const { createBatch, sent, problem } = useBatchCreation(
    imported,
    (id) => void navigate(paths.annotations({ workspace, app: app.id, import: id })),
  )
  const { checked, source, skipped } = imported
  const givenName = name ?? source?.name ?? ''
  const importName = givenName.trim()
  const startImport = () =>
    void createBatch({
      kind: 'annotations',
      key: app.id,
      name: truncateText(importName, 120),
      settings: null,
      omitted: {
        invalid: checked?.invalidRows ?? 0,
        duplicate: skipped.skipDuplicates ? (checked?.duplicateRows ?? 0) : 0,
      },
      bounds: DEFAULT_BATCH_LIMITS,
      dryRunRows: null,
    })
  return {
    imported,
    existing,
    compareProblem: comparison.problem,
    retryComparison: comparison.retry,
    name: givenName,
    setName,
    canStart: imported.total > 0 && importName !== '' && sent === null,
    sent,
    problem,
    startImport,
  }
}

/** Annotations that an import is compared with, at most: 200 pages of the platform's list. */
export const MAX_COMPARED_ANNOTATIONS = 20_000

interface ExistingAnnotations {
  pairs: [question: string, answer: string][]
  total: number
}

/** The annotations that an app has before an import, from the platform's list, else from the ledger. */
function useExistingAnnotations(workspace: string, app: Key, isNeeded: boolean) {
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
