import type { Segmentation } from '#contract/cutting/plan.ts'
import type { Setting } from './cutting.ts'

/** The platform's usual bound of `max_tokens`. */
export const MOST_TOKENS = 4000

export type Fault = 'faultSeparator' | 'faultTokens' | 'faultOverlap'
export type Faults = Partial<Record<`${'segmentation' | 'subchunk_segmentation'}.${keyof Segmentation}`, Fault>>

/** Why a setting cannot cut, at the fields where it is so; empty where it can. */
export function faultsOf({ mode, segmentation, subchunk_segmentation, parent_mode }: Setting): Faults {
  if (mode === 'automatic') return {}
  return {
    ...(mode === 'hierarchical' && parent_mode === 'full-doc' ? {} : faultsIn('segmentation', segmentation)),
    ...(mode === 'hierarchical' ? faultsIn('subchunk_segmentation', subchunk_segmentation) : {}),
  }
}

function faultsIn(part: 'segmentation' | 'subchunk_segmentation', given: Segmentation): Faults {
  const { separator, max_tokens, chunk_overlap } = given
  const isTokens = Number.isInteger(max_tokens) && max_tokens >= 1 && max_tokens <= MOST_TOKENS
  const isOverlap = Number.isInteger(chunk_overlap) && chunk_overlap >= 0 && (!isTokens || chunk_overlap < max_tokens)
  return {
    ...(separator === '' ? { [`${part}.separator`]: 'faultSeparator' } : {}),
    ...(isTokens ? {} : { [`${part}.max_tokens`]: 'faultTokens' }),
    ...(isOverlap ? {} : { [`${part}.chunk_overlap`]: 'faultOverlap' }),
  }
}
