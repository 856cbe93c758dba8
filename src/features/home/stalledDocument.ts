import type { z } from 'zod'
import type { Alerts } from '#contract/console/stats.ts'
import type { documentEndpoints } from '#contract/platform/documents.ts'
import { isIndexingFinal } from '#domain/documentRecord.ts'
import type { ReadResult } from '../../client/parallelReads.ts'

type StalledDocuments = Alerts['stalled'][number]
type DocumentsReply = z.output<typeof documentEndpoints.list.reply>

/** What is known of a remembered document now; null where it goes on, or where that is still being asked. */
export function refreshStalledDocuments(
  stalled: StalledDocuments,
  currentRead: ReadResult<DocumentsReply> | undefined,
): StalledDocuments | null {
  if (currentRead === undefined) return stalled
  const { data, problem } = currentRead
  if (problem) return problem.upstream?.status === 404 ? null : stalled
  if (!data) return null
  const now = data.data.find(({ id }) => id === stalled.document)
  if (now) return isIndexingFinal(now) ? null : { ...stalled, state: now.indexing_status ?? stalled.state }
  const isComplete = data.total !== undefined && data.total !== null && data.total <= data.data.length
  return isComplete ? null : stalled
}
