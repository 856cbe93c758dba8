import { z } from 'zod'
import { DocumentFileUpdate, DocumentReceipt, toDocumentRef } from './documents.ts'
import { endpoint, form, Id, PathSegmentId } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { ResultReply, DeleteReply } from './optionalReplies.ts'
import { INDEXING_STATUSES } from '../statuses.ts'

/** The `data` part of a document made from a file; its name is the file's. */
export const DocumentFileCreate = z.strictObject({
  original_document_id: Id.optional(),
  indexing_technique: shape.IndexingTechnique.optional(),
  doc_form: shape.DocForm.optional(),
  doc_language: z.string().max(64).optional(),
  process_rule: shape.ProcessRule.optional(),
  retrieval_model: shape.RetrievalModel.optional(),
  embedding_model: z.string().max(255).optional(),
  embedding_model_provider: z.string().max(255).optional(),
})

/** A document that is read alone, without a wrapper, with details of its indexing. Latency is in seconds. */
export const DocumentDetail = shape.Document.extend({
  dataset_process_rule: shape.objectField.nullish(),
  document_process_rule: shape.objectField.nullish(),
  completed_at: shape.timestampField.nullish(),
  updated_at: shape.timestampField.nullish(),
  indexing_latency: z.number().nullish(),
  segment_count: shape.integerField.nullish(),
  average_segment_length: z.number().nullish(),
  doc_language: shape.stringField.nullish(),
  doc_type: shape.stringField.nullish(),
})

/** Indexing progress of one document of a batch: completed and total segments. */
export const IndexingProgress = shape.looseRecord(
  { id: shape.stringField },
  {
    indexing_status: shape.openEnum(...INDEXING_STATUSES),
    processing_started_at: shape.timestampField,
    parsing_completed_at: shape.timestampField,
    cleaning_completed_at: shape.timestampField,
    splitting_completed_at: shape.timestampField,
    completed_at: shape.timestampField,
    paused_at: shape.timestampField,
    error: shape.stringField,
    stopped_at: shape.timestampField,
    completed_segments: shape.integerField,
    total_segments: shape.integerField,
    error_code: shape.sentSince('1.16.1', shape.stringField),
    estimated_vector_space_mb: shape.sentSince('1.16.1', z.number()),
    vector_space_limit_mb: shape.sentSince('1.16.1', z.number()),
  },
)

const documentPath = '/datasets/:dataset_id/documents/:document_id'

export const optionalDocumentEndpoints = {
  /** Adds a document from a file (the path has the singular `document`). */
  createByFile: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/document/create-by-file',
    key: 'knowledge',
    permission: 'edit',
    body: form({ data: DocumentFileCreate }),
    reply: DocumentReceipt,
    resources: (reply, { params }) => [toDocumentRef(reply.document, params.dataset_id)],
    invalidates: ['documents', 'datasets'],
    optional: true,
  }),
  readDocument: endpoint({
    method: 'GET',
    path: documentPath,
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ metadata: z.enum(['all', 'only', 'without']).optional() }),
    reply: DocumentDetail,
    resources: (reply, { params }) => [toDocumentRef(reply, params.dataset_id)],
    tags: ['documents'],
    optional: true,
  }),
  /** Updates a document with a file: the current form of operation 5. */
  updateDocument: endpoint({
    method: 'PATCH',
    path: documentPath,
    key: 'knowledge',
    permission: 'edit',
    body: form({ data: DocumentFileUpdate }),
    reply: DocumentReceipt,
    resources: (reply, { params }) => [toDocumentRef(reply.document, params.dataset_id)],
    invalidates: ['documents', 'segments', 'child_chunks'],
    optional: true,
  }),
  /** Re-reads the stored file of a document with the current readers; all its segments are recreated. */
  readFileAgain: endpoint({
    method: 'POST',
    path: `${documentPath}/read-file`,
    key: 'knowledge',
    permission: 'edit',
    reply: DocumentReceipt,
    resources: (reply, { params }) => [toDocumentRef(reply.document, params.dataset_id)],
    invalidates: ['documents', 'segments', 'child_chunks'],
    optional: true,
  }),
  /** Returns a signed link to the file of a document. */
  downloadDocument: endpoint({
    method: 'GET',
    path: `${documentPath}/download`,
    key: 'knowledge',
    permission: 'read',
    reply: shape.looseRecord({ url: shape.stringField }, {}),
    resources: (_reply, { params }) => [{ kind: 'document', id: params.document_id, parent: params.dataset_id }],
    optional: true,
  }),
  downloadDocuments: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/documents/download-zip',
    key: 'knowledge',
    permission: 'export',
    body: z.strictObject({ document_ids: z.array(Id).min(1).max(100) }),
    reply: z.unknown(),
    mediaType: 'application/zip',
    optional: true,
  }),
  /** Deletes a document; refused while it is indexed or archived. */
  deleteDocument: endpoint({
    method: 'DELETE',
    path: documentPath,
    key: 'knowledge',
    permission: 'edit',
    reply: DeleteReply,
    invalidates: ['documents', 'datasets', 'segments', 'child_chunks'],
    optional: true,
  }),
  /** Enables, disables, archives or un-archives documents; ids that the platform does not know are skipped silently. */
  setDocumentStatus: endpoint({
    method: 'PATCH',
    path: '/datasets/:dataset_id/documents/status/:action',
    key: 'knowledge',
    permission: 'edit',
    params: { action: z.enum(['enable', 'disable', 'archive', 'un_archive']) },
    body: z.strictObject({ document_ids: z.array(Id).min(1) }),
    reply: ResultReply,
    invalidates: ['documents'],
    optional: true,
  }),
  /** Returns the indexing progress of the documents of a batch. */
  indexingStatus: endpoint({
    method: 'GET',
    path: '/datasets/:dataset_id/documents/:batch/indexing-status',
    key: 'knowledge',
    permission: 'read',
    params: { batch: PathSegmentId },
    reply: z.looseObject({ data: z.array(IndexingProgress) }),
    resources: (reply, { params }) => reply.data.map(({ id }) => ({ kind: 'document', id, parent: params.dataset_id })),
    tags: ['documents'],
    optional: true,
  }),
}
