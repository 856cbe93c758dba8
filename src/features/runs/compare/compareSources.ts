import type { RetrieverResource } from '#contract/platform/schemas.ts'

export interface SourceChange {
  kind: 'gained' | 'lost' | 'kept'
  source: RetrieverResource
  /** The score on each side, null if missing. */
  before: number | null
  after: number | null
}

/** Which sources were added and removed. A source is identified by its segment, else by its text. */
export function compareSources(
  before: readonly RetrieverResource[],
  after: readonly RetrieverResource[],
): SourceChange[] {
  const left = new Map(before.map((source) => [getSourceIdentity(source), source]))
  const right = new Map(after.map((source) => [getSourceIdentity(source), source]))
  const now = [...right].map(([identity, source]): SourceChange => {
    const former = left.get(identity)
    const scores = { before: former?.score ?? null, after: source.score ?? null }
    return { kind: former ? 'kept' : 'gained', source, ...scores }
  })
  const lost = [...left]
    .filter(([identity]) => !right.has(identity))
    .map(([, source]): SourceChange => ({ kind: 'lost', source, before: source.score ?? null, after: null }))
  const rank = { gained: 0, lost: 1, kept: 2 }
  return [...now, ...lost].sort((one, two) => rank[one.kind] - rank[two.kind])
}

const getSourceIdentity = ({ segment_id, document_id, content }: RetrieverResource): string =>
  segment_id ?? JSON.stringify([document_id ?? null, content ?? null])
