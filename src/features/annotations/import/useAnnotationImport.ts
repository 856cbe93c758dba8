import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { isBlocking } from '#domain/tables/table.ts'
import { toBatchSource } from '../tableImport/batchSource.ts'
import { useBatchCreation } from '../tableImport/useBatchCreation.ts'
import { useImportTable } from '../tableImport/useImportTable.ts'
import { ANNOTATION_IMPORT_FIELDS } from './annotationImportFields.ts'
import { useExistingAnnotations } from './useExistingAnnotations.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** The table of an import, its comparison with what exists, what is left out of it, and the batch that it becomes. */
export function useAnnotationImport(workspace: string, app: Key) {
  const navigate = useNavigate()
  const [skipsInvalidRows, setSkipsInvalidRows] = useState(false)
  const [skipsDuplicates, setSkipsDuplicates] = useState(true)
  const [name, setName] = useState<string | null>(null)
  const [hasTable, setHasTable] = useState(false)
  const {
    existing,
    version,
    isLoading,
    problem: compareProblem,
    retry,
  } = useExistingAnnotations(workspace, app, hasTable)
  const currentUpload = useImportTable({
    controls: ANNOTATION_IMPORT_FIELDS,
    needsInput: true,
    duplicateCheck: { keyField: 'question', valueField: 'answer', existing: existing?.pairs ?? [], version },
    isWaiting: isLoading,
  })
  if (hasTable !== (currentUpload.source !== null)) setHasTable(currentUpload.source !== null)
  const {
    make: createBatch,
    sent,
    problem,
  } = useBatchCreation(
    currentUpload.thread,
    (id) => void navigate(paths.annotations({ workspace, app: app.id, import: id })),
  )
  const { table, checked, source, mapping } = currentUpload
  const isBroken = table?.problems.some(isBlocking) ?? true
  const omitted = {
    invalid: checked?.invalidRows ?? 0,
    duplicate: skipsDuplicates ? (checked?.duplicateRows ?? 0) : 0,
  }
  const total =
    checked && !isBroken && (omitted.invalid === 0 || skipsInvalidRows) ? checked.validRows - omitted.duplicate : 0
  const importName = (name ?? source?.name ?? '').trim()
  const startImport = () =>
    void createBatch(
      {
        kind: 'annotations',
        key: app.id,
        name: truncateText(importName, 120),
        total,
        source: table && toBatchSource(importName, table, mapping),
        settings: null,
        omitted,
        bounds: DEFAULT_BATCH_LIMITS,
        checkRevision: checked?.revision ?? 0,
        dryRunRows: null,
        sourceKey: JSON.stringify([source?.version, mapping, skipsInvalidRows, skipsDuplicates, version]),
      },
      { skipFaulty: skipsInvalidRows, skipDuplicates: skipsDuplicates },
    )
  return {
    currentUpload,
    isBroken,
    existing,
    compareProblem,
    retryComparison: retry,
    skipsInvalidRows,
    setSkipsInvalidRows,
    skipsDuplicates,
    setSkipsDuplicates,
    name,
    setName,
    importName,
    total,
    sent,
    problem,
    startImport,
  }
}
