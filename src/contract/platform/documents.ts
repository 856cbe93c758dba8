import { z } from 'zod'
import { endpoint, form, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'

/** Body of operation 3. */
export const DocumentCreate = z.strictObject({
  name: z.string().trim().min(1).max(255),
  text: z.string().min(1),
  indexing_technique: shape.IndexingTechnique.optional(),
  doc_form: shape.DocForm.optional(),
  doc_language: z.string().max(64).optional(),
  process_rule: shape.ProcessRule.optional(),
  retrieval_model: shape.RetrievalModel.optional(),
  embedding_model: z.string().max(255).optional(),
  embedding_model_provider: z.string().max(255).optional(),
})

/** Body of operation 4. The platform wants `name` wherever `text` is given, so the console does too. */
export const DocumentUpdate = z.strictObject({
  name: z.string().trim().min(1).max(255).optional(),
  text: z.string().min(1).optional(),
  process_rule: shape.ProcessRule.optional(),
  doc_form: shape.DocForm.optional(),
  doc_language: z.string().max(64).optional(),
})

/** The `data` part of operation 5. */
export const DocumentFileUpdate = z.strictObject({
  name: z.string().trim().min(1).max(255).optional(),
  process_rule: shape.ProcessRule.optional(),
  doc_form: shape.DocForm.optional(),
  doc_language: z.string().max(64).optional(),
})

/** `batch` is an identifier for tracking indexing progress. */
export const DocumentReceipt = z.looseObject({ document: shape.Document, batch: z.string().nullish() })

export const toDocumentRef = (document: z.output<typeof shape.Document>, dataset_id: string): ResourceRef => ({
  kind: 'document',
  id: document.id,
  label: document.name,
  parent: dataset_id,
  payload: document,
})

export const documentEndpoints = {
  /** Operation 3: adds a document from text (the path has the singular `document`). */
  createByText: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/document/create-by-text',
    key: 'knowledge',
    permission: 'edit',
    body: DocumentCreate,
    reply: DocumentReceipt,
    resources: (reply, { params }) => [toDocumentRef(reply.document, params.dataset_id)],
    invalidates: ['documents', 'datasets'],
  }),
  /** Operation 4: updates a document with text; all its segments are recreated. */
  updateByText: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/documents/:document_id/update-by-text',
    key: 'knowledge',
    permission: 'edit',
    body: DocumentUpdate,
    reply: DocumentReceipt,
    resources: (reply, { params }) => [toDocumentRef(reply.document, params.dataset_id)],
    invalidates: ['documents', 'segments', 'child_chunks'],
  }),
  /** Operation 5: updates a document with a file. */
  updateByFile: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/documents/:document_id/update-by-file',
    key: 'knowledge',
    permission: 'edit',
    body: form({ data: DocumentFileUpdate }),
    reply: DocumentReceipt,
    resources: (reply, { params }) => [toDocumentRef(reply.document, params.dataset_id)],
    invalidates: ['documents', 'segments', 'child_chunks'],
  }),
  /** Operation 6: lists documents of a knowledge base. */
  list: endpoint({
    method: 'GET',
    path: '/datasets/:dataset_id/documents',
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({
      keyword: z.string().max(255).optional(),
      page: shape.pageParam,
      limit: shape.limitParam,
      status: z.string().max(32).optional(),
    }),
    reply: shape.pagedList(shape.Document),
    resources: (reply, { params }) => reply.data.map((document) => toDocumentRef(document, params.dataset_id)),
    tags: ['documents'],
  }),
}
