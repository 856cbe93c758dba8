import { type Call, callEndpoints } from '#contract/console/calls.ts'
import { useAllRows } from '../../../client/cursorReads.ts'

/** One edit of a chunk that indexing again discards. */
export interface DiscardedEdit {
  id: string
  entry: string
  person: string | null
  created_at: string
  note: string | null
  text: string
}

export interface DocumentHistory {
  /** The last text sent from here; null without one. */
  text: string | null
  name: string | null
  sentAt: string | null
  person: string | null
  /** When a file was sent after that text, so that the platform's text is another. */
  supersededBy: string | null
  /** Edits of chunks since the document was last sent, newest first. */
  edits: DiscardedEdit[]
}

/** The history of a document out of the calls that succeeded, newest first. */
export function toDocumentHistory(calls: readonly Call[]): DocumentHistory {
  const sent = calls.findIndex(({ entry }) => isFullUpdate(entry))
  const withText = calls.find(
    ({ entry, request }) => isFullUpdate(entry) && typeof getField(request, 'text') === 'string',
  )
  const last = calls[sent]
  return {
    text: (getField(withText?.request, 'text') as string | undefined) ?? null,
    name: (getField(withText?.request, 'name') as string | undefined) ?? null,
    sentAt: withText?.created_at ?? null,
    person: withText?.person ?? null,
    supersededBy: withText && last && last !== withText ? last.created_at : null,
    edits: (sent === -1 ? calls : calls.slice(0, sent)).map(({ id, entry, person, created_at, note, request }) => ({
      id,
      entry,
      person,
      created_at,
      note,
      text: getRequestText(request),
    })),
  }
}

/** Calls after which the platform cuts the whole document again. */
const isFullUpdate = (entry: string): boolean => /^(documents|adjacent)\.(create|update)By(Text|File)$/.test(entry)

const getField = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

function getRequestText(request: unknown): string {
  const content = getField(request, 'content') ?? getField(getField(request, 'segment'), 'content')
  return typeof content === 'string' ? content : ''
}

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
