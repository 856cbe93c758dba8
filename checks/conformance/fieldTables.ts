/**
 * The field tables of the interface document, written down once, and those of the stream's events, about which it is
 * silent. A field has the type of its table; `or null` where the table says so, or where platforms are known to send null.
 */
export type FieldType =
  | 'uuid'
  | 'string'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'object'
  | 'JSON object'
  | 'strings'
  | 'objects'
  | 'anything'
export type FieldTable = Record<string, FieldType | `${FieldType} or null`>

export const Dataset: FieldTable = {
  id: 'uuid',
  name: 'string',
  description: 'string or null',
  provider: 'string',
  permission: 'string',
  data_source_type: 'string or null',
  indexing_technique: 'string or null',
  app_count: 'integer',
  document_count: 'integer',
  word_count: 'integer',
  created_by: 'uuid',
  created_at: 'integer',
  updated_by: 'uuid or null',
  updated_at: 'integer',
  embedding_model: 'string or null',
  embedding_model_provider: 'string or null',
  embedding_available: 'boolean or null',
}

/** The reply of operation 2 has these as well. */
export const UpdatedDataset: FieldTable = {
  ...Dataset,
  retrieval_model_dict: 'object',
  tags: 'objects',
  doc_form: 'string or null',
}

export const RetrievalModel: FieldTable = {
  search_method: 'string',
  reranking_enable: 'boolean',
  reranking_mode: 'object',
  top_k: 'integer',
  score_threshold_enabled: 'boolean',
  score_threshold: 'number',
  weights: 'number',
}
export const RerankingMode: FieldTable = { reranking_provider_name: 'string', reranking_model_name: 'string' }

export const Document: FieldTable = {
  id: 'uuid',
  position: 'integer',
  data_source_type: 'string',
  data_source_info: 'object',
  dataset_process_rule_id: 'uuid or null',
  name: 'string',
  created_from: 'string',
  created_by: 'uuid',
  created_at: 'integer',
  tokens: 'integer or null',
  indexing_status: 'string',
  error: 'string or null',
  enabled: 'boolean',
  disabled_at: 'integer or null',
  disabled_by: 'uuid or null',
  archived: 'boolean',
  display_status: 'string or null',
  word_count: 'integer or null',
  hit_count: 'integer',
  doc_form: 'string',
}

export const Segment: FieldTable = {
  id: 'uuid',
  position: 'integer',
  document_id: 'uuid',
  content: 'string',
  answer: 'string or null',
  word_count: 'integer',
  tokens: 'integer',
  keywords: 'strings or null',
  index_node_id: 'string or null',
  index_node_hash: 'string or null',
  hit_count: 'integer',
  enabled: 'boolean',
  disabled_at: 'integer or null',
  disabled_by: 'uuid or null',
  status: 'string',
  created_by: 'uuid',
  created_at: 'integer',
  indexing_at: 'integer or null',
  completed_at: 'integer or null',
  error: 'string or null',
  stopped_at: 'integer or null',
}

export const ChildChunk: FieldTable = {
  id: 'uuid',
  segment_id: 'uuid',
  content: 'string',
  word_count: 'integer',
  tokens: 'integer',
  index_node_id: 'string',
  index_node_hash: 'string',
  status: 'string',
  created_by: 'uuid',
  created_at: 'integer',
  indexing_at: 'integer',
  completed_at: 'integer or null',
  error: 'string or null',
  stopped_at: 'integer or null',
}

/** The `data` of a blocking run, and of `workflow_finished`. */
export const WorkflowRun: FieldTable = {
  id: 'uuid',
  workflow_id: 'uuid',
  status: 'string',
  outputs: 'object or null',
  error: 'string or null',
  total_steps: 'integer',
  total_tokens: 'integer',
  created_at: 'integer',
  finished_at: 'integer or null',
  elapsed_time: 'number or null',
}
export const WorkflowRunDetail: FieldTable = { ...WorkflowRun, inputs: 'JSON object' }

export const CompletionReply: FieldTable = {
  id: 'string',
  message_id: 'uuid',
  mode: 'string',
  answer: 'string',
  metadata: 'object',
  created_at: 'integer',
}
export const ChatReply: FieldTable = {
  ...CompletionReply,
  event: 'string',
  task_id: 'uuid',
  id: 'uuid',
  conversation_id: 'uuid',
}

export const Usage: FieldTable = {
  prompt_tokens: 'integer',
  prompt_unit_price: 'decimal',
  prompt_price_unit: 'decimal',
  prompt_price: 'decimal',
  completion_tokens: 'integer',
  completion_unit_price: 'decimal',
  completion_price_unit: 'decimal',
  completion_price: 'decimal',
  total_tokens: 'integer',
  total_price: 'decimal',
  currency: 'string',
  latency: 'number',
}

export const RetrieverResource: FieldTable = {
  position: 'integer',
  dataset_id: 'uuid',
  dataset_name: 'string',
  document_id: 'uuid',
  document_name: 'string',
  segment_id: 'uuid',
  score: 'number',
  content: 'string',
}

export const Conversation: FieldTable = {
  id: 'uuid',
  name: 'string',
  inputs: 'object',
  status: 'string',
  introduction: 'string or null',
  created_at: 'integer',
  updated_at: 'integer',
}

export const Parameters: FieldTable = { user_input_form: 'objects', file_upload: 'object', system_parameters: 'object' }
/** A control of the form; `default` may be any value of its kind. */
export const Control: FieldTable = { label: 'string', variable: 'string', required: 'boolean' }
export const TextInput: FieldTable = { ...Control, default: 'string' }
export const ImageUpload: FieldTable = {
  enabled: 'boolean',
  number_limits: 'integer',
  detail: 'string',
  transfer_methods: 'strings',
}
export const SystemParameters: FieldTable = {
  file_size_limit: 'integer',
  image_file_size_limit: 'integer',
  audio_file_size_limit: 'integer',
  video_file_size_limit: 'integer',
}

export const Annotation: FieldTable = {
  id: 'uuid',
  question: 'string',
  answer: 'string',
  hit_count: 'integer',
  created_at: 'integer',
}

export const Job: FieldTable = { job_id: 'uuid', job_status: 'string' }

export const Failure: FieldTable = { code: 'string', message: 'string', status: 'integer' }
