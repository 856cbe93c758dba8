import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type BatchLimits, type BatchRowInput, batchEndpoints } from '#contract/console/batches.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'
import type { z } from 'zod'
import { useWhileMounted } from '../../../components/hooks/useWhileMounted.ts'
import { call } from '../../../client/http.ts'
import { invalidateTags } from '../../../client/query.ts'
import { newRunId } from '../../../client/useRun.ts'
import { toBatchSource } from './columnMapping.ts'
import type { ImportTable } from './useImportTable.ts'

type NewBatch = z.input<typeof batchEndpoints.createBatch.body>

export interface BatchDraft extends Pick<NewBatch, 'kind' | 'key' | 'name' | 'settings' | 'omitted'> {
  bounds: BatchLimits
  /** The number of rows of a dry run; null for all. */
  dryRunRows: number | null
}

/** Uploads a table to the server in chunks, and starts the batch. After a failure, a retry skips uploaded chunks. */
export function useBatchCreation(imported: ImportTable, onMade: (batch_id: string) => void) {
  const client = useQueryClient()
  const whileMounted = useWhileMounted()
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const currentUpload = useRef<{ stamp: string; id: string; from: number } | null>(null)

  const createBatch = async ({ bounds, dryRunRows, ...given }: BatchDraft): Promise<void> => {
    const { worker, source, table, mapping, checked, total, skipped } = imported
    const stamp = JSON.stringify([imported.contentKey, given.settings])
    if (currentUpload.current?.stamp !== stamp) currentUpload.current = { stamp, id: newRunId(), from: 0 }
    const upload = currentUpload.current
    setProblem(null)
    setSent(upload.from)
    try {
      const batch = await call(batchEndpoints.createBatch, {
        body: {
          ...given,
          ...bounds,
          id: upload.id,
          total,
          source: source && table && toBatchSource(source.name, table, mapping),
        },
      })
      // A retry finds the batch under the name of the first attempt.
      if (batch.name !== given.name)
        await call(batchEndpoints.updateBatch, { params: { batch_id: upload.id }, body: { name: given.name } })
      while (upload.from < total) {
        const json = await worker.call('takeRows', { from: upload.from, revision: checked?.revision ?? 0, ...skipped })
        const rows = parseLosslessJson(json) as BatchRowInput[]
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
  return { createBatch, sent, problem }
}
