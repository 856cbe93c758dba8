/** A slice takes some milliseconds: a suite of 5,000 cases takes a second or more, in which a server has other work. */
const SLICE_ITEMS = 50

/** Maps a long list slice by slice. Between two of them whatever else waits has its turn. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  toResult: (slice: readonly Item[]) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += SLICE_ITEMS) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve, 0))
    results.push(toResult(items.slice(start, start + SLICE_ITEMS)))
  }
  return results
}
