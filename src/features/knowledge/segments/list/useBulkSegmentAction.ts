import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { call } from '../../../../client/http.ts'
import { invalidateTags } from '../../../../client/query.ts'

export type SegmentAction = 'enable' | 'disable' | 'delete'

/** An action on several segments: how far it is, and what the platform refused. */
export interface BulkSegmentProgress {
  action: SegmentAction
  total: number
  done: number
  /** Segments that stay as they were, with the platform's answer to each. */
  failures: { id: string; problem: Problem }[]
  isFinished: boolean
}

/** Requests under way at once; platforms limit the calls of a minute. */
const MAX_PARALLEL_CALLS = 3

interface BulkSegmentInput {
  dataset_id: string
  document_id: string
  keyId: string | undefined
  onDeleted: (ids: readonly string[]) => void
}

/** Applies an action to several segments, one request each: the interface has none for many. */
export function useBulkSegmentAction({ dataset_id, document_id, keyId, onDeleted }: BulkSegmentInput) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkSegmentProgress | null>(null)
  const run = async (action: SegmentAction, ids: readonly string[]) => {
    setProgress({ action, total: ids.length, done: 0, failures: [], isFinished: false })
    const queue = [...ids]
    const deleted: string[] = []
    const work = async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const problem = await applySegmentAction(action, {
          ...(keyId ? { key: keyId } : {}),
          params: { dataset_id, document_id, segment_id: id },
        })
        if (!problem && action === 'delete') deleted.push(id)
        const segment_id = id
        setProgress(
          (before) =>
            before && {
              ...before,
              done: before.done + 1,
              failures: problem ? [...before.failures, { id: segment_id, problem }] : before.failures,
            },
        )
      }
    }
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_CALLS, ids.length) }, work))
    // Before the lists are read again: what was deleted is read by nobody any more.
    if (deleted.length > 0) onDeleted(deleted)
    await invalidateTags(client, [...optionalSegmentEndpoints.updateSegment.invalidates, 'calls'])
    setProgress((before) => before && { ...before, isFinished: true })
  }
  return {
    progress,
    run: (action: SegmentAction, ids: readonly string[]) => void run(action, ids),
    dismiss: () => setProgress(null),
  }
}

interface SegmentCallTarget {
  key?: string
  params: { dataset_id: string; document_id: string; segment_id: string }
}

/** Null where the platform has done it. */
async function applySegmentAction(action: SegmentAction, target: SegmentCallTarget): Promise<Problem | null> {
  try {
    if (action === 'delete') await call(optionalSegmentEndpoints.deleteSegment, target)
    else
      await call(optionalSegmentEndpoints.updateSegment, {
        ...target,
        body: { segment: { enabled: action === 'enable' } },
      })
    return null
  } catch (error) {
    if (error instanceof ProblemError) return error.problem
    throw error
  }
}
