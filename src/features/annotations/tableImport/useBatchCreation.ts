import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import {
  type BatchKind,
  type BatchLimits,
  type BatchRunSettings,
  type BatchSource,
  type OmittedRows,
  batchEndpoints,
} from '#contract/console/batches.ts'
import type { z } from 'zod'
import { useWhileMounted } from '../../../components/hooks/useWhileMounted.ts'
import { call } from '../../../client/http.ts'
import { invalidateTags } from '../../../client/query.ts'
import { newRunId } from '../../../client/useRun.ts'
import type { SkippedRows, TableWorkerClient } from './tableWorkerClient.ts'

export interface BatchDraft {
  kind: Exclude<BatchKind, 'experiment'>
  key: string
  name: string
  total: number
  source: BatchSource | null
  settings: z.input<typeof BatchRunSettings> | null
  /** What is left out of the table; omitted for batches that do not record it. */
  omitted?: OmittedRows
  bounds: BatchLimits
  /** The check whose rows are sent. */
  checkRevision: number
  /** The number of rows of a dry run; null for all. */
  dryRunRows: number | null
  /** Identifies the content of the rows; a change starts a new batch. */
  sourceKey: string
}

/** Uploads a table to the server in chunks, and starts the batch. After a failure, a retry skips uploaded chunks. */
export function useBatchCreation(worker: TableWorkerClient, onMade: (batch_id: string) => void) {
  const client = useQueryClient()
  const whileMounted = useWhileMounted()
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const currentUpload = useRef<{ stamp: string; id: string; from: number } | null>(null)

  const createBatch = async (
    { bounds, checkRevision, dryRunRows, sourceKey, ...given }: BatchDraft,
    skipped: SkippedRows,
  ): Promise<void> => {
    const upload =
      currentUpload.current?.stamp === sourceKey ? currentUpload.current : { stamp: sourceKey, id: newRunId(), from: 0 }
    currentUpload.current = upload
    setProblem(null)
    setSent(upload.from)
    try {
      const batch = await call(batchEndpoints.createBatch, { body: { ...given, ...bounds, id: upload.id } })
      // A retry finds the batch under the name of the first attempt.
      if (batch.name !== given.name)
        await call(batchEndpoints.updateBatch, { params: { batch_id: upload.id }, body: { name: given.name } })
      while (upload.from < given.total) {
        const rows = await worker.takeRows(upload.from, skipped, checkRevision)
        await call(batchEndpoints.addBatchRows, {
          params: { batch_id: upload.id },
          body: { first: upload.from + 1, rows },
        })
        upload.from += rows.length
        setSent(upload.from)
      }
      await call(batchEndpoints.startBatch, {
        params: { batch_id: upload.id },
        body: { ...bounds, ...(dryRunRows ? { only: dryRunRows } : {}) },
      })
      void invalidateTags(client, batchEndpoints.createBatch.invalidates)
      whileMounted(onMade)(upload.id)
    } catch (error) {
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    } finally {
      setSent(null)
    }
  }
  return { make: createBatch, sent, problem }
}
