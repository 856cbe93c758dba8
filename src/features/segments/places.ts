import type { RetrieverResource } from '#contract/shapes.ts'

interface Stand {
  /** From 1 on, in the order of the answer. */
  rank: number
  score: number | null
}
/** Where one segment stood among the sources of two answers; null where it was none. */
export interface Place {
  segment_id: string
  name: string
  before: Stand | null
  after: Stand | null
}

/** The sources of two answers side by side: first those of the answer after, then what fell out. */
export function placesOf(before: readonly RetrieverResource[], after: readonly RetrieverResource[]): Place[] {
  const ids = [...new Set([...after, ...before].flatMap(({ segment_id }) => segment_id || []))]
  return ids.map((segment_id) => {
    const source = [...after, ...before].find((one) => one.segment_id === segment_id)
    const at = source?.segment_position == null ? '' : ` · ${source.segment_position}`
    return {
      segment_id,
      name: `${source?.document_name ?? segment_id.slice(0, 8)}${at}`,
      before: standOf(before, segment_id),
      after: standOf(after, segment_id),
    }
  })
}

function standOf(sources: readonly RetrieverResource[], segment_id: string): Stand | null {
  const index = sources.findIndex((one) => one.segment_id === segment_id)
  return index === -1 ? null : { rank: index + 1, score: sources[index]?.score ?? null }
}
