import type { RetrieverResource } from '#contract/platform/schemas.ts'
import type { Turn } from '../turn.ts'
import { readTurnFigures, type TurnFigure } from '../turnFigures.ts'

/** One metric of two runs; null if missing. `change` is after minus before, null if that is meaningless. */
export interface ComparedMetric {
  name: TurnFigure
  before: number | null
  after: number | null
  change: number | null
}

/** Compares the metrics of two runs. Prices in different currencies are never compared. */
export function compareMetrics(before: Turn, after: Turn): ComparedMetric[] {
  const [one, two] = [readTurnFigures(before), readTurnFigures(after)]
  const isOneCurrency = before.answer.usage?.currency === after.answer.usage?.currency
  return (Object.keys(one) as TurnFigure[]).map((name) => {
    const [left, right] = [one[name], two[name]]
    const isComparable = left !== null && right !== null && (name !== 'price' || isOneCurrency)
    return { name, before: left, after: right, change: isComparable ? right - left : null }
  })
}

interface SourceChange {
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
