import type { Segmentation } from '#domain/chunking/chunkingPlan.ts'
import type { ChunkSetting } from './worker/labChunking.ts'

/** The platform's usual bound of `max_tokens`. */
export const MAX_CHUNK_TOKENS = 4000

export type ChunkSettingError = 'separatorError' | 'tokensError' | 'overlapError'
export type ChunkSettingErrors = Partial<
  Record<`${'segmentation' | 'subchunk_segmentation'}.${keyof Segmentation}`, ChunkSettingError>
>

/** Why a setting cannot cut, at the fields where it is so; empty where it can. */
export function findSettingErrors({
  mode,
  segmentation,
  subchunk_segmentation,
  parent_mode,
}: ChunkSetting): ChunkSettingErrors {
  if (mode === 'automatic') return {}
  return {
    ...(mode === 'hierarchical' && parent_mode === 'full-doc'
      ? {}
      : findSegmentationErrors('segmentation', segmentation)),
    ...(mode === 'hierarchical' ? findSegmentationErrors('subchunk_segmentation', subchunk_segmentation) : {}),
  }
}

function findSegmentationErrors(
  part: 'segmentation' | 'subchunk_segmentation',
  given: Segmentation,
): ChunkSettingErrors {
  const { separator, max_tokens, chunk_overlap } = given
  const isTokens = Number.isInteger(max_tokens) && max_tokens >= 1 && max_tokens <= MAX_CHUNK_TOKENS
  const isOverlap = Number.isInteger(chunk_overlap) && chunk_overlap >= 0 && (!isTokens || chunk_overlap < max_tokens)
  return {
    ...(separator === '' ? { [`${part}.separator`]: 'separatorError' } : {}),
    ...(isTokens ? {} : { [`${part}.max_tokens`]: 'tokensError' }),
    ...(isOverlap ? {} : { [`${part}.chunk_overlap`]: 'overlapError' }),
  }
}
