import { z } from 'zod'
import { endpoint, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { truncateText } from '../truncatedText.ts'

const segmentPath = '/datasets/:dataset_id/documents/:document_id/segments/:segment_id'

export const ChildChunkInput = z.strictObject({ content: z.string().min(1).max(100_000) })
const ChildChunkReply = z.looseObject({ data: shape.ChildChunk })

/** Characters of a chunk in its label in the console: the palette finds a chunk by them. */
export const MAX_CHUNK_LABEL_CHARS = 500

export const toSegmentRef = (segment: z.output<typeof shape.Segment>, document_id: string): ResourceRef => ({
  kind: 'segment',
  id: segment.id,
  label: segment.content && truncateText(segment.content, MAX_CHUNK_LABEL_CHARS),
  parent: document_id,
  payload: segment,
})
export const toChildChunkRef = (chunk: z.output<typeof shape.ChildChunk>, segment_id: string): ResourceRef => ({
  kind: 'child_chunk',
  id: chunk.id,
  label: chunk.content && truncateText(chunk.content, 80),
  parent: segment_id,
  payload: chunk,
})

export const segmentEndpoints = {
  /** Operation 7: reads one segment. */
  read: endpoint({
    method: 'GET',
    path: segmentPath,
    key: 'knowledge',
    permission: 'read',
    reply: z.looseObject({ data: shape.Segment, doc_form: z.string().nullish() }),
    resources: (reply, { params }) => [toSegmentRef(reply.data, params.document_id)],
    tags: ['segments'],
  }),
  /** Operation 8: lists the child chunks of a parent segment. */
  listChildChunks: endpoint({
    method: 'GET',
    path: `${segmentPath}/child_chunks`,
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ keyword: z.string().max(255).optional(), page: shape.pageParam, limit: shape.limitParam }),
    reply: shape.pagedList(shape.ChildChunk),
    resources: (reply, { params }) => reply.data.map((chunk) => toChildChunkRef(chunk, params.segment_id)),
    tags: ['child_chunks'],
  }),
  /** Operation 9: creates a child chunk. */
  createChildChunk: endpoint({
    method: 'POST',
    path: `${segmentPath}/child_chunks`,
    key: 'knowledge',
    permission: 'edit',
    body: ChildChunkInput,
    reply: ChildChunkReply,
    resources: (reply, { params }) => [toChildChunkRef(reply.data, params.segment_id)],
    invalidates: ['child_chunks', 'segments'],
  }),
  /** Operation 10: updates a child chunk. */
  updateChildChunk: endpoint({
    method: 'PATCH',
    path: `${segmentPath}/child_chunks/:child_chunk_id`,
    key: 'knowledge',
    permission: 'edit',
    body: ChildChunkInput,
    reply: ChildChunkReply,
    resources: (reply, { params }) => [toChildChunkRef(reply.data, params.segment_id)],
    invalidates: ['child_chunks', 'segments'],
  }),
}
