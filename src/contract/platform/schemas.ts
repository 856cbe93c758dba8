import { z } from 'zod'
import { DISPLAY_STATUSES, INDEXING_STATUSES } from '../statuses.ts'

/**
 * A record as the platform sends it: `required` fields must be present, all others may be missing or null, and unknown
 * fields are preserved.
 */
export function looseRecord<Required extends z.ZodRawShape, Optional extends z.ZodRawShape>(
  required: Required,
  optional: Optional,
) {
  type Nullish = { [Name in keyof Optional]: z.ZodOptional<z.ZodNullable<Optional[Name] & z.ZodType>> }
  const nullish = Object.fromEntries(
    Object.entries(optional).map(([name, schema]) => [name, (schema as z.ZodType).nullish()]),
  ) as Nullish
  return z.looseObject({ ...required, ...nullish })
}

/** An open enum: known values are listed for readers and the drift check, any other value is preserved. */
export const openEnum = (...known: string[]) => z.string().meta({ known })

export const intParam = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const pageParam = intParam(1, 1_000_000).default(1)
export const limitParam = intParam(1, 100).default(20)

/** An integer count of seconds since 1970 (the interface calls it a timestamp). */
export const timestampField = z.number()
export const stringField = z.string()
export const integerField = z.number()
export const booleanField = z.boolean()
export const objectField = z.record(z.string(), z.unknown())
/** A field that platforms are known to add and that no screen reads: any type is accepted. */
export const untypedField = z.unknown()

/** The releases of the platform whose replies were recorded, oldest first. */
export const RELEASES = ['1.9', '1.16', '1.16.1'] as const
export type Release = (typeof RELEASES)[number]

/**
 * A field that the interface document lacks and released platforms send. `release` is the earliest of `RELEASES` that
 * sends it.
 */
export const sentSince = <Field extends z.ZodType>(release: Release, field: Field): Field =>
  field.meta({ since: release })

/**
 * Names a record that occurs in several replies: a difference in it is one fact about the platform, wherever it is
 * observed.
 */
export const named = <Schema extends z.ZodType>(name: string, schema: Schema): Schema => schema.meta({ name })

export const IndexingTechnique = z.enum(['high_quality', 'economy'])
export const DatasetPermission = z.enum(['only_me', 'all_team_members', 'partial_members'])
export const DatasetProvider = z.enum(['vendor', 'external'])
export const DocForm = z.enum(['text_model', 'hierarchical_model', 'qa_model'])
export const ResponseMode = z.enum(['streaming', 'blocking'])

/** The kinds of metadata field; the value of a `time` is a number of seconds since 1970. */
export const METADATA_TYPES = ['string', 'number', 'time'] as const
export type MetadataType = (typeof METADATA_TYPES)[number]

/** The comparisons of a metadata condition, as the platform spells them. */
export const METADATA_OPERATORS = [
  'contains',
  'not contains',
  'start with',
  'end with',
  'is',
  'is not',
  'empty',
  'not empty',
  'in',
  'not in',
  '=',
  '≠',
  '>',
  '<',
  '≥',
  '≤',
  'before',
  'after',
] as const
export type MetadataOperator = (typeof METADATA_OPERATORS)[number]

/** Documents to search, by their metadata: all of the conditions (`and`) or any of them (`or`). */
export const MetadataFilter = looseRecord(
  {},
  {
    logical_operator: openEnum('and', 'or'),
    conditions: z.array(
      looseRecord(
        { name: stringField, comparison_operator: openEnum(...METADATA_OPERATORS) },
        { value: z.union([stringField, z.number(), z.array(stringField)]) },
      ),
    ),
  },
)

/** The value of a document's metadata field; `id` is `built-in` for the fields of the platform. */
export const DocumentMetadata = looseRecord(
  {},
  {
    id: stringField,
    name: stringField,
    type: openEnum(...METADATA_TYPES),
    value: z.union([stringField, z.number(), booleanField]),
  },
)

export const SearchMethod = openEnum('semantic_search', 'full_text_search', 'hybrid_search', 'keyword_search')

/**
 * Retrieval model, "Retrieval model (object)" of the interface. The interface and the real platform disagree on
 * `reranking_mode` (object or string) and `weights` (number or object): both are accepted in both directions, and the
 * relay's dialect converts them into the form that the workspace's platform accepts.
 */
export const RetrievalModel = named(
  'RetrievalModel',
  z.looseObject({
    search_method: SearchMethod.nullish(),
    reranking_enable: booleanField.nullish(),
    reranking_mode: z
      .union([
        z.string(),
        z.looseObject({
          reranking_provider_name: z.string().nullish(),
          reranking_model_name: z.string().nullish(),
        }),
      ])
      .nullish(),
    reranking_model: z
      .looseObject({ reranking_provider_name: z.string().nullish(), reranking_model_name: z.string().nullish() })
      .nullish(),
    top_k: z.number().int().min(1).max(100).nullish(),
    score_threshold_enabled: booleanField.nullish(),
    score_threshold: z.number().min(0).max(1).nullish(),
    weights: z.union([z.number().min(0).max(1), z.looseObject({})]).nullish(),
    metadata_filtering_conditions: sentSince('1.16', MetadataFilter).nullish(),
  }),
)

const Segmentation = z.strictObject({
  separator: z.string().max(256).optional(),
  max_tokens: z.number().int().min(1).max(100_000).optional(),
  chunk_overlap: z.number().int().min(0).max(100_000).optional(),
})

/** Process rule, "Process rule (object)" of the interface. `separator` is literal text, never a pattern. */
export const ProcessRule = z.strictObject({
  mode: z.string(),
  rules: z
    .strictObject({
      pre_processing_rules: z.array(z.strictObject({ id: z.string(), enabled: booleanField })).optional(),
      segmentation: Segmentation.optional(),
      parent_mode: z.string().optional(),
      subchunk_segmentation: Segmentation.optional(),
    })
    .nullish(),
})

/**
 * File input object of `files` in chat, completion and workflow requests. `url` is passed on, never fetched by the
 * console.
 */
export const FileInput = z.looseObject({
  type: z.string(),
  transfer_method: z.string(),
  url: z.string().max(4096).optional(),
  upload_file_id: z.string().optional(),
})

export const MAX_END_USER_CHARS = 255
/** The end user of an application, named by the caller. Not a credential. */
export const EndUser = z.string().min(1).max(MAX_END_USER_CHARS)

export const DatasetTag = named(
  'DatasetTag',
  looseRecord({}, { id: stringField, name: stringField, type: stringField }),
)

/** Dataset, "Dataset (knowledge base)", with known additions of platforms. */
export const Dataset = named(
  'Dataset',
  looseRecord(
    { id: stringField },
    {
      name: stringField,
      description: stringField,
      provider: openEnum('vendor', 'external'),
      permission: openEnum('only_me', 'all_team_members', 'partial_members'),
      data_source_type: stringField,
      indexing_technique: openEnum('high_quality', 'economy'),
      app_count: integerField,
      document_count: integerField,
      word_count: integerField,
      created_by: stringField,
      created_at: timestampField,
      updated_by: stringField,
      updated_at: timestampField,
      embedding_model: stringField,
      embedding_model_provider: stringField,
      embedding_available: booleanField,
      retrieval_model_dict: RetrievalModel,
      tags: z.array(DatasetTag),
      doc_form: openEnum('text_model', 'hierarchical_model', 'qa_model'),
      partial_member_list: z.array(stringField),
      author_name: sentSince('1.16', untypedField),
      summary_index_setting: sentSince('1.16', untypedField),
      external_knowledge_info: sentSince('1.9', untypedField),
      external_retrieval_model: sentSince('1.9', untypedField),
      doc_metadata: sentSince('1.9', untypedField),
      built_in_field_enabled: sentSince('1.9', untypedField),
      pipeline_id: sentSince('1.9', untypedField),
      runtime_mode: sentSince('1.9', untypedField),
      chunk_structure: sentSince('1.9', untypedField),
      icon_info: sentSince('1.9', untypedField),
      is_published: sentSince('1.9', untypedField),
      total_documents: sentSince('1.9', untypedField),
      total_available_documents: sentSince('1.9', untypedField),
      enable_api: sentSince('1.9', untypedField),
      is_multimodal: sentSince('1.16', untypedField),
      maintainer: sentSince('1.16', untypedField),
    },
  ),
)

/** How the built-in platform read a document: the encoding of a text file, its losses, and whether the file is stored. */
const DocumentReading = looseRecord(
  {},
  {
    encoding: stringField,
    has_file: booleanField,
    losses: z.array(
      looseRecord(
        { kind: stringField, count: integerField },
        { places: looseRecord({ unit: stringField, numbers: z.array(integerField) }, {}) },
      ),
    ),
  },
)

export const Document = named(
  'Document',
  looseRecord(
    { id: stringField },
    {
      position: integerField,
      /** The last three belong to knowledge pipelines. */
      data_source_type: openEnum(
        'upload_file',
        'notion_import',
        'website_crawl',
        'local_file',
        'online_document',
        'online_drive',
      ),
      data_source_info: objectField,
      data_source_detail_dict: objectField,
      dataset_process_rule_id: stringField,
      name: stringField,
      created_from: openEnum('api', 'web', 'rag-pipeline'),
      created_by: stringField,
      created_at: timestampField,
      tokens: integerField,
      indexing_status: openEnum(...INDEXING_STATUSES),
      error: stringField,
      enabled: booleanField,
      disabled_at: timestampField,
      disabled_by: stringField,
      archived: booleanField,
      display_status: openEnum(...DISPLAY_STATUSES),
      word_count: integerField,
      hit_count: integerField,
      doc_form: openEnum('text_model', 'hierarchical_model', 'qa_model'),
      doc_metadata: sentSince('1.9', untypedField),
      summary_index_status: sentSince('1.16', untypedField),
      need_summary: sentSince('1.16', untypedField),
      reading: DocumentReading,
    },
  ),
)

/** Segment record (chunk of a document). */
export const Segment = named(
  'Segment',
  looseRecord(
    { id: stringField },
    {
      position: integerField,
      document_id: stringField,
      content: stringField,
      answer: stringField,
      word_count: integerField,
      tokens: integerField,
      keywords: z.array(stringField),
      index_node_id: stringField,
      index_node_hash: stringField,
      hit_count: integerField,
      enabled: booleanField,
      disabled_at: timestampField,
      disabled_by: stringField,
      status: openEnum('waiting', 'indexing', 'completed', 'error', 're_segment'),
      created_by: stringField,
      created_at: timestampField,
      indexing_at: timestampField,
      completed_at: timestampField,
      error: stringField,
      stopped_at: timestampField,
      sign_content: sentSince('1.9', untypedField),
      updated_at: sentSince('1.9', untypedField),
      updated_by: sentSince('1.9', untypedField),
      child_chunks: sentSince('1.9', untypedField),
      attachments: sentSince('1.16', untypedField),
      summary: sentSince('1.16', untypedField),
    },
  ),
)

/** Child chunk record (child of a parent segment in hierarchical segmentation). */
export const ChildChunk = named(
  'ChildChunk',
  looseRecord(
    { id: stringField },
    {
      segment_id: stringField,
      content: stringField,
      position: sentSince('1.9', untypedField),
      type: sentSince('1.9', untypedField),
      updated_at: sentSince('1.9', untypedField),
      word_count: integerField,
      tokens: integerField,
      index_node_id: stringField,
      index_node_hash: stringField,
      status: openEnum('waiting', 'indexing', 'completed', 'error'),
      created_by: stringField,
      created_at: timestampField,
      indexing_at: timestampField,
      completed_at: timestampField,
      error: stringField,
      stopped_at: timestampField,
    },
  ),
)

/** `metadata.usage`: tokens are counts, prices decimal strings in `currency`, latency seconds. */
export const Usage = named(
  'Usage',
  looseRecord(
    {},
    {
      prompt_tokens: integerField,
      prompt_unit_price: stringField,
      prompt_price_unit: stringField,
      prompt_price: stringField,
      completion_tokens: integerField,
      completion_unit_price: stringField,
      completion_price_unit: stringField,
      completion_price: stringField,
      total_tokens: integerField,
      total_price: stringField,
      currency: stringField,
      latency: z.number(),
      time_to_first_token: sentSince('1.9', z.number()),
      time_to_generate: sentSince('1.9', z.number()),
    },
  ),
)
export type Usage = z.output<typeof Usage>

/** One item of `metadata.retriever_resources`, with known additions of platforms. */
export const RetrieverResource = named(
  'RetrieverResource',
  looseRecord(
    {},
    {
      position: integerField,
      dataset_id: stringField,
      dataset_name: stringField,
      document_id: stringField,
      document_name: stringField,
      segment_id: stringField,
      score: z.number(),
      content: stringField,
      segment_position: integerField,
      id: sentSince('1.9', untypedField),
      message_id: sentSince('1.9', untypedField),
      data_source_type: sentSince('1.9', untypedField),
      retriever_from: sentSince('1.9', untypedField),
      hit_count: sentSince('1.9', untypedField),
      word_count: sentSince('1.9', untypedField),
      index_node_hash: sentSince('1.9', untypedField),
      summary: sentSince('1.16', untypedField),
      page: sentSince('1.9', untypedField),
      title: sentSince('1.9', untypedField),
      doc_metadata: sentSince('1.9', untypedField),
      files: sentSince('1.9', untypedField),
      created_at: sentSince('1.9', untypedField),
    },
  ),
)
export type RetrieverResource = z.output<typeof RetrieverResource>

export const MessageMetadata = named(
  'MessageMetadata',
  looseRecord(
    {},
    {
      usage: Usage,
      retriever_resources: z.array(RetrieverResource),
      annotation_reply: z.looseObject({}),
      reasoning: sentSince('1.16', objectField),
      /** The author of the answer, added by the built-in platform. */
      model: untypedField,
    },
  ),
)

/** A list as the interface returns it. */
export const pagedList = <Item extends z.ZodType>(item: Item) =>
  looseRecord(
    { data: z.array(item) },
    { has_more: booleanField, limit: integerField, total: integerField, page: integerField, total_pages: untypedField },
  )
