import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { useBatchCreation } from '../tableImport/useBatchCreation.ts'
import { EMPTY_TABLE_DRAFT, useImportTable } from '../tableImport/useImportTable.ts'
import { ANNOTATION_IMPORT_FIELDS } from './annotationImportFields.ts'
import { useExistingAnnotations } from './useExistingAnnotations.ts'
import { truncateText } from '#contract/truncatedText.ts'

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
