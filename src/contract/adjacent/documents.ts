import { z } from 'zod'
import { DocumentReceipt, nameDocument } from '../documents.ts'
import { endpoint, form, Id, PlainId } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { Done, Gone } from './shared.ts'

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

/** A document read alone: the record without a wrapper, and how it came to be. Latency is seconds. */
export const DocumentDetail = shape.Document.extend({
  dataset_process_rule: shape.object.nullish(),
  document_process_rule: shape.object.nullish(),
  completed_at: shape.timestamp.nullish(),
  updated_at: shape.timestamp.nullish(),
  indexing_latency: z.number().nullish(),
  segment_count: shape.integer.nullish(),
  average_segment_length: z.number().nullish(),
  doc_language: shape.text.nullish(),
  doc_type: shape.text.nullish(),
})

/** How far one document of a batch has come: segments done of all. */
export const IndexingProgress = shape.record(
  { id: shape.text },
  {
    indexing_status: shape.word(
      'waiting',
      'parsing',
      'cleaning',
      'splitting',
      'indexing',
      'paused',
      'completed',
      'error',
    ),
    processing_started_at: shape.timestamp,
    parsing_completed_at: shape.timestamp,
    cleaning_completed_at: shape.timestamp,
    splitting_completed_at: shape.timestamp,
    completed_at: shape.timestamp,
    paused_at: shape.timestamp,
    error: shape.text,
    stopped_at: shape.timestamp,
    completed_segments: shape.integer,
    total_segments: shape.integer,
  },
)

const documentPath = '/datasets/:dataset_id/documents/:document_id'

export const documents = {
  /** Adds a document from a file (the path has the singular `document`). */
  createByFile: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/document/create-by-file',
    key: 'knowledge',
    permission: 'edit',
    body: form({ data: DocumentFileCreate }),
    reply: DocumentReceipt,
    names: (reply, { params }) => [nameDocument(reply.document, params.dataset_id)],
    touches: ['documents', 'datasets'],
    adjacent: true,
  }),
  /** Reads one document. */
  readDocument: endpoint({
    method: 'GET',
    path: documentPath,
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ metadata: z.enum(['all', 'only', 'without']).optional() }),
    reply: DocumentDetail,
    names: (reply, { params }) => [nameDocument(reply, params.dataset_id)],
    shows: ['documents'],
    adjacent: true,
  }),
  /** Deletes a document; refused while it is indexed or archived. */
  deleteDocument: endpoint({
    method: 'DELETE',
    path: documentPath,
    key: 'knowledge',
    permission: 'edit',
    reply: Gone,
    touches: ['documents', 'datasets', 'segments', 'child_chunks'],
    adjacent: true,
  }),
  /** Enables, disables, archives or un-archives documents; ids that the platform does not know are skipped silently. */
  setDocumentStatus: endpoint({
    method: 'PATCH',
    path: '/datasets/:dataset_id/documents/status/:action',
    key: 'knowledge',
    permission: 'edit',
    params: { action: z.enum(['enable', 'disable', 'archive', 'un_archive']) },
    body: z.strictObject({ document_ids: z.array(Id).min(1) }),
    reply: Done,
    touches: ['documents'],
    adjacent: true,
  }),
  /** Says how far the documents of a batch have come. */
  indexingStatus: endpoint({
    method: 'GET',
    path: '/datasets/:dataset_id/documents/:batch/indexing-status',
    key: 'knowledge',
    permission: 'read',
    params: { batch: PlainId },
    reply: z.looseObject({ data: z.array(IndexingProgress) }),
    names: (reply, { params }) => reply.data.map(({ id }) => ({ kind: 'document', id, parent: params.dataset_id })),
    shows: ['documents'],
    adjacent: true,
  }),
}
