import { z } from 'zod'
import { toDatasetRef } from './datasets.ts'
import { endpoint, Id, type ResourceRef } from '../endpoint.ts'
import { MAX_CHUNK_LABEL_CHARS } from './segments.ts'
import { SegmentUpdate } from './optionalSegments.ts'
import * as shape from './schemas.ts'
import { DeleteReply, pageQuery, repeatedParam } from './optionalReplies.ts'
import { truncateText } from '../truncatedText.ts'

/** A query to a single knowledge base; the platform truncates it at 250 characters. */
export const RetrieveRequest = z.strictObject({
  query: z.string().min(1).max(250),
  retrieval_model: shape.RetrievalModel.optional(),
  external_retrieval_model: shape.objectField.optional(),
  attachment_ids: z.array(Id).optional(),
})

/** Questions per dry run. */
export const MAX_DRY_RUN_QUERIES = 50

/**
 * A changed segment: the fields of an update for an existing one, or `removed`; without an `id` a new one, which
 * needs its `content`.
 */
export const DryRunSegment = SegmentUpdate.shape.segment
  .pick({ content: true, answer: true, keywords: true, enabled: true, regenerate_child_chunks: true })
  .extend({ id: Id.optional(), document_id: Id, removed: z.boolean().optional() })
export type DryRunSegment = z.output<typeof DryRunSegment>

/** Questions to a knowledge base with changed segments and settings. */
export const DryRunRequest = z.strictObject({
  queries: z.array(z.string().min(1).max(250)).min(1).max(MAX_DRY_RUN_QUERIES),
  /** Changed settings of the dataset; missing fields keep their values. */
  retrieval_model: shape.RetrievalModel.optional(),
  segments: z.array(DryRunSegment).max(100).optional(),
})

/** A retrieved segment with its document. `score` runs from 0 to 1. */
export const RetrievalRecord = shape.looseRecord(
  {},
  {
    segment: shape.named(
      'Segment',
      shape.Segment.extend({
        document: shape
          .looseRecord(
            {},
            {
              id: shape.stringField,
              name: shape.stringField,
              data_source_type: shape.sentSince('1.9', shape.stringField),
              doc_type: shape.sentSince('1.9', shape.stringField),
              doc_metadata: shape.sentSince('1.9', shape.untypedField),
            },
          )
          .nullish(),
      }),
    ),
    child_chunks: z.array(
      shape.looseRecord(
        { id: shape.stringField },
        { content: shape.stringField, position: shape.integerField, score: z.number() },
      ),
    ),
    score: z.number(),
    /** Sent by the built-in platform: the method that scored it. */
    search_method: shape.SearchMethod.nullish(),
    tsne_position: shape.sentSince('1.9', shape.untypedField),
    files: shape.sentSince('1.16', z.array(z.unknown())),
    summary: shape.sentSince('1.16', shape.stringField),
  },
)

/** A model provider and its models; labels are by language (`en_US`). */
export const ModelProvider = shape.looseRecord(
  {},
  {
    provider: shape.stringField,
    label: shape.objectField,
    status: shape.stringField,
    tenant_id: shape.sentSince('1.9', shape.stringField),
    icon_small: shape.sentSince('1.9', shape.objectField),
    icon_small_dark: shape.sentSince('1.16', shape.objectField),
    /** Release 1.16 no longer sends it. */
    icon_large: shape.sentSince('1.9', shape.objectField),
    models: z.array(
      shape.looseRecord(
        {},
        {
          model: shape.stringField,
          label: shape.objectField,
          model_type: shape.stringField,
          status: shape.stringField,
          deprecated: shape.booleanField,
          features: shape.sentSince('1.9', z.array(shape.stringField)),
          fetch_from: shape.sentSince('1.9', shape.stringField),
          model_properties: shape.sentSince('1.9', shape.objectField),
          load_balancing_enabled: shape.sentSince('1.9', shape.booleanField),
          has_invalid_load_balancing_configs: shape.sentSince('1.9', shape.booleanField),
        },
      ),
    ),
  },
)

export const optionalDatasetEndpoints = {
  /** Lists the knowledge bases of the key’s workspace. */
  listDatasets: endpoint({
    method: 'GET',
    path: '/datasets',
    key: 'knowledge',
    permission: 'read',
    query: z.strictObject({ ...pageQuery, tag_ids: repeatedParam, include_all: z.enum(['true', 'false']).optional() }),
    reply: shape.pagedList(shape.Dataset),
    resources: (reply) => reply.data.map(toDatasetRef),
    tags: ['datasets'],
    optional: true,
  }),
  readDataset: endpoint({
    method: 'GET',
    path: '/datasets/:dataset_id',
    key: 'knowledge',
    permission: 'read',
    reply: shape.Dataset,
    resources: (reply) => [toDatasetRef(reply)],
    tags: ['datasets'],
    optional: true,
  }),
  /** Deletes a knowledge base with all its documents. No recorded release refuses it, even while apps use it. */
  deleteDataset: endpoint({
    method: 'DELETE',
    path: '/datasets/:dataset_id',
    key: 'knowledge',
    permission: 'edit',
    reply: DeleteReply,
    invalidates: ['datasets', 'documents', 'segments', 'child_chunks'],
    optional: true,
  }),
  /** Queries one knowledge base and returns the segments found, best first. */
  retrieve: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/retrieve',
    key: 'knowledge',
    permission: 'run',
    body: RetrieveRequest,
    reply: shape.looseRecord(
      {},
      {
        query: shape.looseRecord({}, { content: shape.stringField }),
        records: z.array(RetrievalRecord),
        /** Sent by the built-in platform: the used method, and why it is not the one that is set. */
        search_method: shape.SearchMethod.nullish(),
        fallback: shape
          .looseRecord(
            {
              requested_method: shape.SearchMethod,
              reason: shape.openEnum('no_embedding_model', 'economy_dataset', 'embedding_failed'),
            },
            {},
          )
          .nullish(),
      },
    ),
    resources: (reply, { params }) =>
      (reply.records ?? []).flatMap((record) => toRetrievalRefs(record, params.dataset_id)),
    optional: true,
  }),
  /**
   * Answers questions as retrieval would after a change of segments or settings. Nothing is written, and no hits are
   * counted. Only the built-in platform offers it.
   */
  dryRunRetrieval: endpoint({
    method: 'POST',
    path: '/datasets/:dataset_id/retrieve/dry-run',
    key: 'knowledge',
    permission: 'run',
    body: DryRunRequest,
    reply: z.looseObject({
      results: z.array(
        z.looseObject({
          query: z.string(),
          /** Best first. The id of a new segment is valid only in this reply. */
          records: z.array(
            z.looseObject({
              segment_id: z.string(),
              document_id: z.string(),
              score: z.number(),
              tokens: z.number(),
            }),
          ),
          search_method: shape.SearchMethod,
        }),
      ),
    }),
    optional: true,
  }),
  /** Lists the models of one type that the workspace may use. */
  listModels: endpoint({
    method: 'GET',
    path: '/workspaces/current/models/model-types/:model_type',
    key: 'knowledge',
    permission: 'read',
    params: { model_type: z.enum(['llm', 'text-embedding', 'rerank', 'speech2text', 'moderation', 'tts']) },
    reply: shape.looseRecord({}, { data: z.array(ModelProvider) }),
    optional: true,
  }),
}

function toRetrievalRefs(record: z.output<typeof RetrievalRecord>, dataset_id: string): ResourceRef[] {
  const { segment } = record
  if (!segment) return []
  const document_id = segment.document_id ?? segment.document?.id
  if (!document_id) return []
  return [
    { kind: 'document', id: document_id, label: segment.document?.name, parent: dataset_id },
    {
      kind: 'segment',
      id: segment.id,
      label: segment.content && truncateText(segment.content, MAX_CHUNK_LABEL_CHARS),
      parent: document_id,
    },
  ]
}
