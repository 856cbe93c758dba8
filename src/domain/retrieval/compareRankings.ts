/** How the rank of a passage differs from that in the other ranking. */
export type RankChange =
  | { is: 'same' }
  | { is: 'up'; by: number }
  | { is: 'down'; by: number }
  | { is: 'new' }
  | { is: 'gone' }

export interface RankingComparison {
  /** By id, the second ranking against the first; `gone` for those only in the first. */
  changes: ReadonlyMap<string, RankChange>
  counts: Record<RankChange['is'], number>
}

/** Compares two rankings, best first, by the ids of their passages. */
export function compareRankings(first: readonly string[], second: readonly string[]): RankingComparison {
  const before = toPlaces(first)
  const after = toPlaces(second)
  const changes = new Map<string, RankChange>()
  for (const [id, place] of after) changes.set(id, toChange(before.get(id), place))
  for (const id of before.keys()) if (!after.has(id)) changes.set(id, { is: 'gone' })
  const counts = { same: 0, up: 0, down: 0, new: 0, gone: 0 }
  for (const { is } of changes.values()) counts[is]++
  return { changes, counts }
}

/** A passage that a platform lists twice counts at its better rank. */
function toPlaces(ids: readonly string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [index, id] of ids.entries()) if (!places.has(id)) places.set(id, index + 1)
  return places
}

function toChange(before: number | undefined, after: number): RankChange {
  if (before === undefined) return { is: 'new' }
  if (before === after) return { is: 'same' }
  return before > after ? { is: 'up', by: before - after } : { is: 'down', by: after - before }
}
