import { z } from 'zod'

/**
 * A record as the platform sends it: what stands in `required` must be there, all else may be missing or null, and
 * fields that the interface does not name are kept as they came.
 */
export function record<Required extends z.ZodRawShape, Optional extends z.ZodRawShape>(
  required: Required,
  optional: Optional,
) {
  type Nullish = { [Name in keyof Optional]: z.ZodOptional<z.ZodNullable<Optional[Name] & z.ZodType>> }
  const nullish = Object.fromEntries(
    Object.entries(optional).map(([name, schema]) => [name, (schema as z.ZodType).nullish()]),
  ) as Nullish
  return z.looseObject({ ...required, ...nullish })
}

/** An open set of words: those known are listed for the reader and the drift check, any other is kept as it came. */
export const word = (...known: string[]) => z.string().meta({ known })

/** A whole number in a query string or a JSON body. */
export const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const page = count(1, 1_000_000).default(1)
export const limit = count(1, 100).default(20)

/** An integer count of seconds since 1970 (the interface calls it a timestamp). */
export const timestamp = z.number()
export const text = z.string()
export const integer = z.number()
export const flag = z.boolean()
export const object = z.record(z.string(), z.unknown())
/** A field that platforms are known to add and that no screen reads: of any type, so that none is refused for it. */
export const known = z.unknown()

export const IndexingTechnique = z.enum(['high_quality', 'economy'])
export const Permission = z.enum(['only_me', 'all_team_members', 'partial_members'])
export const Provider = z.enum(['vendor', 'external'])
export const DocForm = z.enum(['text_model', 'hierarchical_model', 'qa_model'])
export const ResponseMode = z.enum(['streaming', 'blocking'])

/**
 * Retrieval model, "Retrieval model (object)" of the interface. The interface and the real platform disagree on
 * `reranking_mode` (object against word) and `weights` (number against object): both are read and both may be sent, the
 * relay's dialect turns them into what the workspace's platform takes.
 */
export const RetrievalModel = z.looseObject({
  search_method: word('semantic_search', 'full_text_search', 'hybrid_search', 'keyword_search').nullish(),
  reranking_enable: flag.nullish(),
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
  score_threshold_enabled: flag.nullish(),
  score_threshold: z.number().min(0).max(1).nullish(),
  weights: z.union([z.number().min(0).max(1), z.looseObject({})]).nullish(),
})

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
      pre_processing_rules: z.array(z.strictObject({ id: z.string(), enabled: flag })).optional(),
      segmentation: Segmentation.optional(),
      parent_mode: z.string().optional(),
      subchunk_segmentation: Segmentation.optional(),
    })
    .nullish(),
})

/** File input object of `files` in chat, completion and workflow requests. `url` is passed on, never fetched by the console. */
export const FileInput = z.looseObject({
  type: z.string(),
  transfer_method: z.string(),
  url: z.string().max(4096).optional(),
  upload_file_id: z.string().optional(),
})

/** The end user of an application, named by the caller. Not a credential. */
export const User = z.string().min(1).max(255)

export const Tag = record({}, { id: text, name: text, type: text })

/** Dataset, "Dataset (knowledge base)", with what platforms are known to add. */
export const Dataset = record(
  { id: text },
  {
    name: text,
    description: text,
    provider: word('vendor', 'external'),
    permission: word('only_me', 'all_team_members', 'partial_members'),
    data_source_type: text,
    indexing_technique: word('high_quality', 'economy'),
    app_count: integer,
    document_count: integer,
    word_count: integer,
    created_by: text,
    created_at: timestamp,
    updated_by: text,
    updated_at: timestamp,
    embedding_model: text,
    embedding_model_provider: text,
    embedding_available: flag,
    retrieval_model_dict: RetrievalModel,
    tags: z.array(Tag),
    doc_form: word('text_model', 'hierarchical_model', 'qa_model'),
    partial_member_list: z.array(text),
    author_name: known,
    summary_index_setting: known,
    external_knowledge_info: known,
    external_retrieval_model: known,
    doc_metadata: known,
    built_in_field_enabled: known,
    pipeline_id: known,
    runtime_mode: known,
    chunk_structure: known,
    icon_info: known,
    is_published: known,
    total_documents: known,
    total_available_documents: known,
    enable_api: known,
    is_multimodal: known,
    maintainer: known,
  },
)

/** Document record. */
export const Document = record(
  { id: text },
  {
    position: integer,
    data_source_type: word('upload_file', 'notion_import', 'website_crawl'),
    data_source_info: object,
    data_source_detail_dict: object,
    dataset_process_rule_id: text,
    name: text,
    created_from: word('api', 'web'),
    created_by: text,
    created_at: timestamp,
    tokens: integer,
    indexing_status: word('waiting', 'parsing', 'cleaning', 'splitting', 'indexing', 'paused', 'completed', 'error'),
    error: text,
    enabled: flag,
    disabled_at: timestamp,
    disabled_by: text,
    archived: flag,
    display_status: word('queuing', 'indexing', 'paused', 'error', 'available', 'disabled', 'archived'),
    word_count: integer,
    hit_count: integer,
    doc_form: word('text_model', 'hierarchical_model', 'qa_model'),
    doc_metadata: known,
    summary_index_status: known,
    need_summary: known,
  },
)

/** Segment record (chunk of a document). */
export const Segment = record(
  { id: text },
  {
    position: integer,
    document_id: text,
    content: text,
    answer: text,
    word_count: integer,
    tokens: integer,
    keywords: z.array(text),
    index_node_id: text,
    index_node_hash: text,
    hit_count: integer,
    enabled: flag,
    disabled_at: timestamp,
    disabled_by: text,
    status: word('waiting', 'indexing', 'completed', 'error', 're_segment'),
    created_by: text,
    created_at: timestamp,
    indexing_at: timestamp,
    completed_at: timestamp,
    error: text,
    stopped_at: timestamp,
    sign_content: known,
    updated_at: known,
    updated_by: known,
    child_chunks: known,
    attachments: known,
    summary: known,
  },
)

/** Child chunk record (child of a parent segment in hierarchical segmentation). */
export const ChildChunk = record(
  { id: text },
  {
    segment_id: text,
    content: text,
    position: known,
    type: known,
    updated_at: known,
    word_count: integer,
    tokens: integer,
    index_node_id: text,
    index_node_hash: text,
    status: word('waiting', 'indexing', 'completed', 'error'),
    created_by: text,
    created_at: timestamp,
    indexing_at: timestamp,
    completed_at: timestamp,
    error: text,
    stopped_at: timestamp,
  },
)

/** `metadata.usage`: tokens are counts, prices decimal strings in `currency`, latency seconds. */
export const Usage = record(
  {},
  {
    prompt_tokens: integer,
    prompt_unit_price: text,
    prompt_price_unit: text,
    prompt_price: text,
    completion_tokens: integer,
    completion_unit_price: text,
    completion_price_unit: text,
    completion_price: text,
    total_tokens: integer,
    total_price: text,
    currency: text,
    latency: z.number(),
  },
)
export type Usage = z.output<typeof Usage>

/** One item of `metadata.retriever_resources`, with what platforms are known to add. */
export const RetrieverResource = record(
  {},
  {
    position: integer,
    dataset_id: text,
    dataset_name: text,
    document_id: text,
    document_name: text,
    segment_id: text,
    score: z.number(),
    content: text,
    segment_position: integer,
    id: known,
    message_id: known,
    data_source_type: known,
    retriever_from: known,
    hit_count: known,
    word_count: known,
    index_node_hash: known,
    summary: known,
    page: known,
    title: known,
    doc_metadata: known,
    files: known,
    created_at: known,
  },
)
export type RetrieverResource = z.output<typeof RetrieverResource>

export const Metadata = record(
  {},
  {
    usage: Usage,
    retriever_resources: z.array(RetrieverResource),
    annotation_reply: z.looseObject({}),
    /** The built-in platform's word for who answered. */
    model: known,
  },
)

/** A list as the interface answers it. */
export const list = <Item extends z.ZodType>(item: Item) =>
  record({ data: z.array(item) }, { has_more: flag, limit: integer, total: integer, page: integer, total_pages: known })
