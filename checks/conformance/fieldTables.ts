import { z } from 'zod'

/**
 * The field tables of the interface document, written down once, and those of the stream's events, about which it is
 * silent. A field has the type of its table; `or null` where the table says so, or where platforms are known to send null.
 */
export type FieldType = keyof typeof TYPE_CHECKS
export type FieldTable = Record<string, FieldType | `${FieldType} or null`>

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isListOf = (is: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(is)

const TYPE_CHECKS = {
  uuid: (value: unknown) => z.guid().safeParse(value).success,
  string: isText,
  integer: Number.isInteger,
  number: Number.isFinite,
  decimal: (value: unknown) => isText(value) && /^\d+(\.\d+)?$/.test(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  object: isObject,
  'JSON object': (value: unknown) => isText(value) && isObject(parseJson(value)),
  strings: isListOf(isText),
  objects: isListOf(isObject),
}

/** A table from the names of the fields of each type. */
const toTable = (namesByType: Partial<Record<FieldTable[string], string>>, base: FieldTable = {}): FieldTable => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(namesByType).flatMap(([type, names]) =>
      names.split(' ').map((name) => [name, type as FieldTable[string]] as const),
    ),
  ),
})

export const Dataset = toTable({
  uuid: 'id created_by',
  'uuid or null': 'updated_by',
  string: 'name provider permission',
  'string or null': 'description data_source_type indexing_technique embedding_model embedding_model_provider',
  integer: 'app_count document_count word_count created_at updated_at',
  'boolean or null': 'embedding_available',
})
/** The reply of operation 2 has these as well. */
export const UpdatedDataset = toTable(
  { object: 'retrieval_model_dict', objects: 'tags', 'string or null': 'doc_form' },
  Dataset,
)

export const RetrievalModel = toTable({
  string: 'search_method',
  boolean: 'reranking_enable score_threshold_enabled',
  object: 'reranking_mode',
  integer: 'top_k',
  number: 'score_threshold weights',
})
export const RerankingMode = toTable({ string: 'reranking_provider_name reranking_model_name' })

export const Document = toTable({
  uuid: 'id created_by',
  'uuid or null': 'dataset_process_rule_id disabled_by',
  string: 'data_source_type name created_from indexing_status doc_form',
  'string or null': 'error display_status',
  integer: 'position created_at hit_count',
  'integer or null': 'tokens disabled_at word_count',
  boolean: 'enabled archived',
  object: 'data_source_info',
})

export const Segment = toTable({
  uuid: 'id document_id created_by',
  'uuid or null': 'disabled_by',
  string: 'content status',
  'string or null': 'answer index_node_id index_node_hash error',
  'strings or null': 'keywords',
  integer: 'position word_count tokens hit_count created_at',
  'integer or null': 'disabled_at indexing_at completed_at stopped_at',
  boolean: 'enabled',
})
export const ChildChunk = toTable({
  uuid: 'id segment_id created_by',
  string: 'content index_node_id index_node_hash status',
  'string or null': 'error',
  integer: 'word_count tokens created_at indexing_at',
  'integer or null': 'completed_at stopped_at',
})

/** The `data` of a blocking run, and of `workflow_finished`. */
export const WorkflowRun = toTable({
  uuid: 'id workflow_id',
  string: 'status',
  'string or null': 'error',
  'object or null': 'outputs',
  integer: 'total_steps total_tokens created_at',
  'integer or null': 'finished_at',
  'number or null': 'elapsed_time',
})
export const WorkflowRunDetail = toTable({ 'JSON object': 'inputs' }, WorkflowRun)

export const CompletionReply = toTable({
  string: 'id mode answer',
  uuid: 'message_id',
  object: 'metadata',
  integer: 'created_at',
})
export const ChatReply = toTable({ string: 'event', uuid: 'task_id id conversation_id' }, CompletionReply)
export const Usage = toTable({
  integer: 'prompt_tokens completion_tokens total_tokens',
  decimal:
    'prompt_unit_price prompt_price_unit prompt_price completion_unit_price completion_price_unit completion_price total_price',
  string: 'currency',
  number: 'latency',
})
export const RetrieverResource = toTable({
  uuid: 'dataset_id document_id segment_id',
  string: 'dataset_name document_name content',
  integer: 'position',
  number: 'score',
})
export const Conversation = toTable({
  uuid: 'id',
  string: 'name status',
  'string or null': 'introduction',
  object: 'inputs',
  integer: 'created_at updated_at',
})

export const Parameters = toTable({ objects: 'user_input_form', object: 'file_upload system_parameters' })
/** A control of the form; `default` may be any value of its kind. */
export const Control = toTable({ string: 'label variable', boolean: 'required' })
export const TextInput = toTable({ string: 'default' }, Control)
export const ImageUpload = toTable({
  boolean: 'enabled',
  integer: 'number_limits',
  string: 'detail',
  strings: 'transfer_methods',
})
export const SystemParameters = toTable({
  integer: 'file_size_limit image_file_size_limit audio_file_size_limit video_file_size_limit',
})

export const Annotation = toTable({ uuid: 'id', string: 'question answer', integer: 'hit_count created_at' })
export const Job = toTable({ uuid: 'job_id', string: 'job_status' })
export const Failure = toTable({ string: 'code message', integer: 'status' })

// Beyond the interface.
export const Tag = toTable({ uuid: 'id', string: 'name type', 'string or null': 'binding_count' })
export const MetadataField = toTable({ uuid: 'id', string: 'name type' })
export const HumanForm = toTable({
  string: 'form_id node_id node_title form_content form_token',
  objects: 'inputs actions',
  object: 'resolved_default_values',
  integer: 'expiration_time',
})
export const PausedRun = toTable({
  uuid: 'workflow_run_id',
  strings: 'paused_nodes',
  object: 'outputs',
  objects: 'reasons',
  string: 'status',
  integer: 'created_at total_tokens total_steps',
  number: 'elapsed_time',
})
export const Variable = toTable({ uuid: 'id', string: 'name value_type description', integer: 'created_at updated_at' })

// Events of a stream, as the real platforms send them; the interface document does not describe them.
const completionEnvelope = toTable({ string: 'event', uuid: 'task_id message_id', integer: 'created_at' })
/** Fields of every event. */
export const ENVELOPE_TABLES: Record<'chat' | 'completion' | 'workflow', FieldTable> = {
  completion: completionEnvelope,
  chat: toTable({ uuid: 'conversation_id' }, completionEnvelope),
  workflow: toTable({ string: 'event', uuid: 'task_id workflow_run_id' }),
}
/** Fields in addition to the envelope, by event name. */
export const MESSAGE_EVENT_TABLES: Record<string, FieldTable> = {
  message: toTable({ uuid: 'id', string: 'answer' }),
  message_end: toTable({ uuid: 'id', object: 'metadata' }),
}

const nodeFields = toTable({ uuid: 'id', string: 'node_id node_type title', integer: 'created_at' })
const nodeRunFields = toTable(
  {
    integer: 'index',
    'string or null': 'predecessor_node_id iteration_id loop_id',
    'object or null': 'inputs',
    boolean: 'inputs_truncated',
  },
  nodeFields,
)
const nodeEndFields = toTable({
  'object or null': 'outputs execution_metadata',
  boolean: 'outputs_truncated',
  string: 'status',
  'string or null': 'error',
  number: 'elapsed_time',
  integer: 'finished_at',
})
/** In the `data` of an event, by its name. */
export const WORKFLOW_EVENT_TABLES: Record<string, FieldTable> = {
  workflow_started: toTable({ uuid: 'id workflow_id', object: 'inputs', integer: 'created_at' }),
  node_started: toTable({ object: 'extras' }, nodeRunFields),
  node_finished: toTable(
    { 'object or null': 'process_data', 'objects or null': 'files' },
    { ...nodeRunFields, ...nodeEndFields },
  ),
  iteration_started: toTable({ object: 'extras metadata inputs' }, nodeFields),
  iteration_next: toTable({ object: 'extras', integer: 'index' }, nodeFields),
  iteration_completed: toTable(
    { object: 'extras', integer: 'total_tokens steps' },
    { ...nodeFields, ...nodeEndFields },
  ),
  text_chunk: toTable({ string: 'text', 'strings or null': 'from_variable_selector' }),
  workflow_finished: toTable({ object: 'created_by', integer: 'exceptions_count', objects: 'files' }, WorkflowRun),
}

/** Lists the missing fields of a record and those of another type than the table's; null if all are right. */
export function findMisfit(table: FieldTable, value: unknown): string | null {
  if (!isObject(value)) return `is no record but ${toShortJson(value)}`
  const record = value as Record<string, unknown>
  const wrong = Object.entries(table).flatMap(([name, type]) => {
    if (!(name in record)) return [`${name} is missing`]
    if (type.endsWith(' or null') && record[name] === null) return []
    const isFit = TYPE_CHECKS[type.replace(' or null', '') as FieldType]
    return isFit(record[name]) ? [] : [`${name} is no ${type} but ${toShortJson(record[name])}`]
  })
  return wrong.length > 0 ? wrong.join('; ') : null
}

export function toShortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
