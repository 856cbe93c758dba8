import type { Dialect } from '#contract/console/dialect.ts'
import type { Vault, PlatformCredential } from '../../vault/vault.ts'

type Fields = Record<string, unknown>

/**
 * The only place that adapts requests to a platform's dialect. Both the interface document and the real platform accept the
 * intersection: `response_mode` and `inputs` are always sent (their defaults differ), an empty `conversation_id` is not.
 * Where no intersection exists, the workspace's dialect decides, whatever the shape of the body.
 */
export function adaptRequestBody(
  name: string,
  body: unknown,
  { retrieval, members, embedding }: Dialect = {},
): unknown {
  if (!isFields(body)) return body
  const { conversation_id, ...rest } = body
  const adapted: Fields = conversation_id ? { ...rest, conversation_id } : rest
  if (isFields(adapted.retrieval_model) && retrieval)
    adapted.retrieval_model = (retrieval === 'upstream' ? toUpstreamRetrievalModel : toInterfaceRetrievalModel)(
      adapted.retrieval_model,
      adapted,
    )
  if (Array.isArray(adapted.partial_member_list) && members)
    adapted.partial_member_list = adapted.partial_member_list.map((one: unknown) => {
      const id = isFields(one) ? one.user_id : one
      return members === 'objects' ? { user_id: id } : id
    })
  if (name === 'annotations.reply' && embedding === 'required') {
    adapted.embedding_provider_name ??= ''
    adapted.embedding_model_name ??= ''
  }
  return adapted
}

/**
 * Upstream's form: `weights` an object, `reranking_mode` a string next to `reranking_model`, with the fields that upstream
 * requires.
 */
function toUpstreamRetrievalModel(given: Fields, { embedding_model, embedding_model_provider }: Fields): Fields {
  const { reranking_mode, weights, ...rest } = given
  const model = isFields(reranking_mode) ? reranking_mode : given.reranking_model
  const isNamed = reranking_mode === null || typeof reranking_mode === 'string'
  const mode = isNamed ? reranking_mode : model ? 'reranking_model' : undefined
  const word = mode === undefined && typeof weights === 'number' ? 'weighted_score' : mode
  return {
    score_threshold_enabled: false,
    reranking_enable: false,
    ...rest,
    ...(word === undefined ? {} : { reranking_mode: word }),
    ...(model === undefined ? {} : { reranking_model: model }),
    ...(weights === undefined ? {} : { weights: typeof weights === 'number' ? shared(weights) : weights }),
  }

  function shared(weight: number): Fields {
    return {
      weight_type: 'customized',
      vector_setting: {
        vector_weight: weight,
        embedding_provider_name: embedding_model_provider ?? '',
        embedding_model_name: embedding_model ?? '',
      },
      keyword_setting: { keyword_weight: Number((1 - weight).toFixed(4)) },
    }
  }
}

/** The interface document's form: `weights` a number, `reranking_mode` an object. */
function toInterfaceRetrievalModel(given: Fields): Fields {
  const { reranking_mode, reranking_model, weights, ...rest } = given
  const model = isFields(reranking_mode) ? reranking_mode : isFields(reranking_model) ? reranking_model : undefined
  const vector = isFields(weights) && isFields(weights.vector_setting) ? weights.vector_setting.vector_weight : weights
  return {
    ...rest,
    ...(model ? { reranking_mode: model } : {}),
    ...(typeof vector === 'number' ? { weights: vector } : {}),
  }
}

export class DialectDetector {
  readonly #vault: Pick<Vault, 'recordDialect'>
  readonly #reported = new Map<string, string>()

  constructor(vault: Pick<Vault, 'recordDialect'>) {
    this.#vault = vault
  }

  detect({ workspace_id }: Pick<PlatformCredential, 'workspace_id'>, version: string | null, body: unknown): void {
    const retrieval = detectRetrievalShape(body)
    const found = { ...(version ? { version } : {}), ...(retrieval ? { retrieval } : {}) }
    for (const [point, value] of Object.entries(found)) {
      const known = `${workspace_id} ${point}`
      if (this.#reported.get(known) === value) continue
      this.#reported.set(known, value)
      void this.#vault.recordDialect(workspace_id, { [point]: value }).catch(() => this.#reported.delete(known))
    }
  }
}

/** The dialect of a reply's first retrieval model; undefined if none shows it. */
function detectRetrievalShape(body: unknown): 'interface' | 'upstream' | undefined {
  if (!isFields(body)) return undefined
  for (const one of [body, ...(Array.isArray(body.data) ? (body.data as unknown[]).slice(0, 20) : [])]) {
    const model = isFields(one) ? one.retrieval_model_dict : undefined
    if (!isFields(model)) continue
    if (typeof model.weights === 'number' || isFields(model.reranking_mode)) return 'interface'
    if (isFields(model.weights) || typeof model.reranking_mode === 'string') return 'upstream'
  }
  return undefined
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
