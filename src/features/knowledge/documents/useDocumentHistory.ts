import { callEndpoints } from '#contract/console/calls.ts'
import { useAllRows } from '../../../client/cursorReads.ts'
import { toDocumentHistory } from './documentHistory.ts'

const HISTORY_ENTRIES = [
  'documents.createByText',
  'documents.updateByText',
  'documents.updateByFile',
  'adjacent.createByFile',
  'segments.createChildChunk',
  'segments.updateChildChunk',
  'adjacent.deleteChildChunk',
  'adjacent.updateSegment',
  'adjacent.deleteSegment',
  'adjacent.createSegments',
].join(',')

/** What this console has sent of a document: its last text, and what was mended in its chunks since it was last indexed. */
export function useDocumentHistory(document_id: string, workspace: string) {
  const { data, error, isPending, isFetching, isFetchedAfterMount } = useAllRows(
    callEndpoints.listCalls,
    {
      query: {
        workspace,
        resource: document_id,
        entry: HISTORY_ENTRIES,
        status: 'succeeded',
        include_bodies: 'true',
        limit: 100,
      },
    },
    // What was mended before the document was cut again is of no concern.
    (calls) => toDocumentHistory(calls).text !== null,
  )
  return {
    ...toDocumentHistory(data ?? []),
    error,
    // A history from before the last update would begin with an old text.
    isPending: isPending || (isFetching && !isFetchedAfterMount),
  }
}
