import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { nameSegment } from '../segments.ts'
import * as shape from '../shapes.ts'
import { Gone, paged, words } from './shared.ts'

const SegmentWrite = {
  content: z.string().min(1).max(100_000),
  answer: z.string().max(100_000).optional(),
  keywords: z.array(z.string().min(1).max(255)).optional(),
  attachment_ids: z.array(Id).optional(),
}
/** Segments to add; `answer` is required in Q&A form. */
export const SegmentsCreate = z.strictObject({ segments: z.array(z.strictObject(SegmentWrite)).min(1).max(1000) })
/** Only the fields that are present are applied. */
export const SegmentUpdate = z.strictObject({
  segment: z.strictObject({
    ...SegmentWrite,
    content: SegmentWrite.content.optional(),
    enabled: z.boolean().optional(),
    regenerate_child_chunks: z.boolean().optional(),
    summary: z.string().optional(),
  }),
})

const segmentsPath = '/datasets/:dataset_id/documents/:document_id/segments'
const segmentPath = `${segmentsPath}/:segment_id` as const
const SegmentList = shape.list(shape.Segment).extend({ doc_form: shape.text.nullish() })

export const segments = {
  /** Lists the segments of a document. */
  listSegments: endpoint({
    method: 'GET',
    path: segmentsPath,
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ ...paged, status: words }),
    reply: SegmentList,
    names: (reply, { params }) => reply.data.map((segment) => nameSegment(segment, params.document_id)),
    shows: ['segments'],
    adjacent: true,
  }),
  /** Adds segments to a completed document. */
  createSegments: endpoint({
    method: 'POST',
    path: segmentsPath,
    key: 'knowledge',
    permission: 'edit',
    body: SegmentsCreate,
    reply: SegmentList,
    names: (reply, { params }) => reply.data.map((segment) => nameSegment(segment, params.document_id)),
    touches: ['segments', 'documents'],
    adjacent: true,
  }),
  /** Updates a segment (POST, not PATCH). */
  updateSegment: endpoint({
    method: 'POST',
    path: segmentPath,
    key: 'knowledge',
    permission: 'edit',
    body: SegmentUpdate,
    reply: z.looseObject({ data: shape.Segment, doc_form: shape.text.nullish() }),
    names: (reply, { params }) => [nameSegment(reply.data, params.document_id)],
    touches: ['segments', 'child_chunks'],
    adjacent: true,
  }),
  /** Deletes a segment and its child chunks. */
  deleteSegment: endpoint({
    method: 'DELETE',
    path: segmentPath,
    key: 'knowledge',
    permission: 'edit',
    reply: Gone,
    touches: ['segments', 'child_chunks', 'documents'],
    adjacent: true,
  }),
  /** Deletes a child chunk. */
  deleteChildChunk: endpoint({
    method: 'DELETE',
    path: `${segmentPath}/child_chunks/:child_chunk_id`,
    key: 'knowledge',
    permission: 'edit',
    reply: Gone,
    touches: ['child_chunks', 'segments'],
    adjacent: true,
  }),
}
