import type { RetrieverResource } from '#contract/platform/schemas.ts'

interface SourceRank {
  /** From 1 on, in the order of the answer. */
  rank: number
  score: number | null
}
/** Where one segment stood among the sources of two answers; null where it was none. */
export interface SourceRankChange {
  segment_id: string
  name: string
  before: SourceRank | null
  after: SourceRank | null
}

/** The sources of two answers side by side: first those of the answer after, then what fell out. */
export function compareSourceRanks(
  before: readonly RetrieverResource[],
  after: readonly RetrieverResource[],
): SourceRankChange[] {
  const ids = [...new Set([...after, ...before].flatMap(({ segment_id }) => segment_id || []))]
  return ids.map((segment_id) => {
    const source = [...after, ...before].find((one) => one.segment_id === segment_id)
    const at = source?.segment_position == null ? '' : ` · ${source.segment_position}`
    return {
      segment_id,
      name: `${source?.document_name ?? segment_id.slice(0, 8)}${at}`,
      before: findSourceRank(before, segment_id),
      after: findSourceRank(after, segment_id),
    }
  })
}

function findSourceRank(sources: readonly RetrieverResource[], segment_id: string): SourceRank | null {
  const index = sources.findIndex((one) => one.segment_id === segment_id)
  return index === -1 ? null : { rank: index + 1, score: sources[index]?.score ?? null }
}
