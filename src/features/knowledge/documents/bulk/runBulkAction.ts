import type { DocumentRecord } from '#domain/documentRecord.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'

export const BULK_STATUS_ACTIONS = ['enable', 'disable', 'archive', 'un_archive'] as const
export type BulkStatusAction = (typeof BULK_STATUS_ACTIONS)[number]
export type BulkAction = BulkStatusAction | 'delete' | 'read_again'

export interface BulkResult {
  document: DocumentRecord
  /** Null where the platform did it. */
  problem: Problem | null
}

/** The platform's operations; a status takes several documents at once. @throws ProblemError */
export interface BulkOperations {
  setStatus: (action: BulkStatusAction, document_ids: string[]) => Promise<unknown>
  remove: (document_id: string) => Promise<unknown>
  readAgain: (document_id: string) => Promise<unknown>
}

/** Documents of one status request. A refusal is known for the request only, so its documents are tried one by one. */
const STATUS_BATCH_DOCUMENTS = 50
const MAX_PARALLEL_CALLS = 2

/**
 * Performs an action on each document and reports each result. If the platform refuses a batch, each of its documents
 * is sent alone, so that one document does not block the others. Ends early by `signal`: actions that have not begun
 * have no result.
 */
export async function runBulkAction(
  action: BulkAction,
  documents: readonly DocumentRecord[],
  operations: BulkOperations,
  signal: AbortSignal,
  onResults: (results: BulkResult[]) => void,
): Promise<void> {
  const single = { delete: operations.remove, read_again: operations.readAgain }
  const isSingle = action === 'delete' || action === 'read_again'
  const batchSize = isSingle ? 1 : STATUS_BATCH_DOCUMENTS
  const batches = Array.from({ length: Math.ceil(documents.length / batchSize) }, (_, index) =>
    documents.slice(index * batchSize, (index + 1) * batchSize),
  )
  const send = async (batch: readonly DocumentRecord[]): Promise<void> => {
    if (signal.aborted) return
    const problem = await toProblem(
      isSingle
        ? single[action](batch[0]?.id ?? '')
        : operations.setStatus(
            action,
            batch.map(({ id }) => id),
          ),
    )
    if (problem?.kind === 'refused' && batch.length > 1) for (const document of batch) await send([document])
    else onResults(batch.map((document) => ({ document, problem })))
  }
  let next = 0
  const work = async () => {
    while (next < batches.length) await send(batches[next++] ?? [])
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_CALLS }, work))
}

async function toProblem(call: Promise<unknown>): Promise<Problem | null> {
  try {
    await call
    return null
  } catch (error) {
    return error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) }
  }
}
