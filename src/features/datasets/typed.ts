import { compact, flagOf, numberOf, textOf } from '../../ui/fields/typed.ts'

/** The form of a dataset as it is typed, under the names of operation 1. */
export const emptyDataset = {
  name: '',
  description: '',
  indexing_technique: '',
  permission: '',
  provider: '',
  external_knowledge_api_id: '',
  external_knowledge_id: '',
  embedding_model: '',
  embedding_model_provider: '',
  retrieval_model: {
    search_method: '',
    top_k: '',
    score_threshold_enabled: '',
    score_threshold: '',
    reranking_enable: '',
    reranking_mode: { reranking_provider_name: '', reranking_model_name: '' },
    weights: '',
  },
}
export type TypedDataset = typeof emptyDataset

/** The body of operation 1: what was left empty is not in it, and the external ids only where the provider is. */
export function bodyOf(typed: TypedDataset): Record<string, unknown> {
  const { retrieval_model: retrieval } = typed
  const isExternal = typed.provider === 'external'
  return {
    name: typed.name,
    ...compact({
      description: textOf(typed.description),
      indexing_technique: textOf(typed.indexing_technique),
      permission: textOf(typed.permission),
      provider: textOf(typed.provider),
      external_knowledge_api_id: isExternal ? textOf(typed.external_knowledge_api_id) : undefined,
      external_knowledge_id: isExternal ? textOf(typed.external_knowledge_id) : undefined,
      embedding_model: textOf(typed.embedding_model),
      embedding_model_provider: textOf(typed.embedding_model_provider),
      retrieval_model: {
        search_method: textOf(retrieval.search_method),
        top_k: numberOf(retrieval.top_k),
        score_threshold_enabled: flagOf(retrieval.score_threshold_enabled),
        score_threshold: numberOf(retrieval.score_threshold),
        reranking_enable: flagOf(retrieval.reranking_enable),
        reranking_mode: {
          reranking_provider_name: textOf(retrieval.reranking_mode.reranking_provider_name),
          reranking_model_name: textOf(retrieval.reranking_mode.reranking_model_name),
        },
        weights: numberOf(retrieval.weights),
      },
    }),
  }
}
