import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { useRead } from '../../client/query.ts'

/** The models of a kind that a platform lists; null where it has not. `listedBy` is the id of a key that it offers this to. */
export function useModels(keyId: string | undefined, type: 'text-embedding' | 'rerank') {
  const { data } = useRead(
    optionalDatasetEndpoints.listModels,
    { key: keyId, params: { model_type: type } },
    { enabled: keyId !== undefined },
  )
  if (!data) return null
  return (data.data ?? []).flatMap((one) =>
    (one.models ?? []).map(({ model, status }) => ({
      provider: one.provider ?? '',
      model: model ?? '',
      status: status ?? null,
    })),
  )
}
