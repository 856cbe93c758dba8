/** Divides items, in order, into groups of limited size or of one item. */
export function toGroups<Item>(items: readonly Item[], getSize: (item: Item) => number, maxSize: number): Item[][] {
  const groups: Item[][] = []
  let total = Infinity
  for (const item of items) {
    const size = getSize(item)
    total += size
    if (total > maxSize) {
      groups.push([])
      total = size
    }
    groups.at(-1)?.push(item)
  }
  return groups
}
