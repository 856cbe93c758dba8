import type { SearchMethod } from './retrievalSettings.ts'

/**
 * A query. Without `dataset_ids` every dataset is searched, without a retrieval model each dataset's own settings
 * apply.
 */
export interface RetrievalQuery {
  query: string
  dataset_ids?: readonly string[] | undefined
  /** In either shape of the contract's RetrievalModel; missing fields come from the dataset's settings. */
  retrieval_model?: unknown
}

/** Why a search is by keyword although another method is set. */
export interface RetrievalFallback {
  requested_method: SearchMethod
  /**
   * No embedding model is configured, no searched dataset has vectors (`indexing_technique` is `economy`), or the
   * model's endpoint failed.
   */
  reason: 'no_embedding_model' | 'economy_dataset' | 'embedding_failed'
}

export interface RetrievalResult {
  hits: RetrievalHit[]
  search_method: SearchMethod
  /** Null if the set method was used. */
  fallback: RetrievalFallback | null
}

/** A retrieved segment, best first; `position` counts from 1, `score` runs from 0 to 1. */
export interface RetrievalHit {
  position: number
  score: number
  dataset_id: string
  dataset_name: string
  document_id: string
  document_name: string
  data_source_type: string
  /** The document's metadata values by field name; null for none. */
  doc_metadata: Record<string, unknown> | null
  segment_id: string
  segment_position: number
  content: string
  answer: string | null
  word_count: number
  hit_count: number
  index_node_hash: string
  /** For a parent segment: the children found, best first. */
  child_chunks: { id: string; content: string; position: number; score: number }[]
  /** The method that scored it: in a hybrid search, a segment without a vector is scored by keyword. */
  search_method: SearchMethod
}
