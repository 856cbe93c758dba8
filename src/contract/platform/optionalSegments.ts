import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { toSegmentRef } from './segments.ts'
import * as shape from './schemas.ts'
import { DeleteReply, pageQuery, repeatedParam } from './optionalReplies.ts'

const segmentFields = {
  content: z.string().min(1).max(100_000),
  answer: z.string().max(100_000).optional(),
  keywords: z.array(z.string().min(1).max(255)).optional(),
  attachment_ids: z.array(Id).optional(),
}
/** Segments to add; `answer` is required in Q&A form. */
export const SegmentsCreate = z.strictObject({ segments: z.array(z.strictObject(segmentFields)).min(1).max(1000) })
/** Only the fields that are present are applied. */
export const SegmentUpdate = z.strictObject({
  segment: z.strictObject({
    ...segmentFields,
    content: segmentFields.content.optional(),
    enabled: z.boolean().optional(),
    regenerate_child_chunks: z.boolean().optional(),
    summary: z.string().optional(),
  }),
})

const segmentsPath = '/datasets/:dataset_id/documents/:document_id/segments'
const segmentPath = `${segmentsPath}/:segment_id` as const
const SegmentList = shape.pagedList(shape.Segment).extend({ doc_form: shape.stringField.nullish() })

export const optionalSegmentEndpoints = {
  listSegments: endpoint({
    method: 'GET',
    path: segmentsPath,
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ ...pageQuery, status: repeatedParam }),
    reply: SegmentList,
    resources: (reply, { params }) => reply.data.map((segment) => toSegmentRef(segment, params.document_id)),
    tags: ['segments'],
    optional: true,
  }),
  /** Adds segments to a completed document. */
  createSegments: endpoint({
    method: 'POST',
    path: segmentsPath,
    key: 'knowledge',
    permission: 'edit',
    body: SegmentsCreate,
    reply: SegmentList,
    resources: (reply, { params }) => reply.data.map((segment) => toSegmentRef(segment, params.document_id)),
    invalidates: ['segments', 'documents'],
    optional: true,
  }),
  /** Updates a segment (POST, not PATCH). */
  updateSegment: endpoint({
    method: 'POST',
    path: segmentPath,
    key: 'knowledge',
    permission: 'edit',
    body: SegmentUpdate,
    reply: z.looseObject({ data: shape.Segment, doc_form: shape.stringField.nullish() }),
    resources: (reply, { params }) => [toSegmentRef(reply.data, params.document_id)],
    invalidates: ['segments', 'child_chunks', 'documents'],
    optional: true,
  }),
  deleteSegment: endpoint({
    method: 'DELETE',
    path: segmentPath,
    key: 'knowledge',
    permission: 'edit',
    reply: DeleteReply,
    invalidates: ['segments', 'child_chunks', 'documents'],
    optional: true,
  }),
  deleteChildChunk: endpoint({
    method: 'DELETE',
    path: `${segmentPath}/child_chunks/:child_chunk_id`,
    key: 'knowledge',
    permission: 'edit',
    reply: DeleteReply,
    invalidates: ['child_chunks', 'segments'],
    optional: true,
  }),
}
