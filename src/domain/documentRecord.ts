import type { z } from 'zod'
import { type ChildChunk, Document, Segment } from '#contract/platform/schemas.ts'
import { isFinalIndexingStatus } from '#contract/statuses.ts'

export type DocumentRecord = z.output<typeof Document>
export type SegmentRecord = z.output<typeof Segment>
export type ChildChunkRecord = z.output<typeof ChildChunk>

/** The platform's last record of a resource, or null if only its id was seen. */
export const toDocumentRecord = (payload: unknown): DocumentRecord | null => Document.safeParse(payload).data ?? null
export const toSegmentRecord = (payload: unknown): SegmentRecord | null => Segment.safeParse(payload).data ?? null

/**
 * Whether the platform has a chunking rule for the document. A document of a knowledge pipeline has none: an update
 * without a rule is accepted, and destroys its chunks (observed on 1.16.1). False also if unknown.
 */
export const hasProcessRule = (document: DocumentRecord | null): boolean =>
  document?.created_from != null && document.created_from !== 'rag-pipeline'

export const isIndexingFinal = ({ indexing_status }: DocumentRecord): boolean =>
  indexing_status == null || isFinalIndexingStatus(indexing_status)

/** Documents with this status or an unknown one: released platforms ignore the filter of the list. */
export const filterByStatus = (documents: DocumentRecord[], status: string | undefined): DocumentRecord[] =>
  status ? documents.filter(({ display_status }) => display_status == null || display_status === status) : documents

/** The displayed state: the step during indexing, then the platform's display status. */
export const getDocumentState = (document: DocumentRecord): string | null =>
  (isIndexingFinal(document) && document.indexing_status === 'completed' ? document.display_status : null) ??
  document.indexing_status ??
  document.display_status ??
  null
