import type { ChildChunkRecord } from '#contract/records.ts'

/** A part of the parent's text, from `start` up to `end` in UTF-16 units. */
export interface Range {
  start: number
  end: number
}
export interface Span extends Range {
  /** Which children (their places in the list) have these words; none for what no child holds. */
  children: number[]
  /** Words that no child holds; blanks alone are no gap. */
  isGap: boolean
}
export interface Coverage {
  /** In order and without a hole: joined they are the text. */
  spans: Span[]
  /** Where each child stands, null where its text is not in the parent's. */
  places: (Range | null)[]
  /** Characters that are not blank and that a child holds, of all that are not blank; 1 for a text of blanks. */
  share: number
  gaps: Range[]
}

/**
 * Where the children of a parent stand in its text. Each is looked for behind the beginning of the one before it, then
 * from the start: a text that comes twice belongs to the child whose turn it is.
 */
export function coverageOf(text: string, children: readonly Pick<ChildChunkRecord, 'content'>[]): Coverage {
  const places = placesOf(text, children)
  const edges = new Set([0, text.length])
  for (const place of places) if (place) edges.add(place.start).add(place.end)
  const cuts = [...edges].sort((one, other) => one - other)
  const spans = cuts.slice(1).map((end, index): Span => {
    const start = cuts[index] ?? 0
    const holders = places.flatMap((place, child) => (place && place.start <= start && place.end >= end ? [child] : []))
    return { start, end, children: holders, isGap: holders.length === 0 && /\S/.test(text.slice(start, end)) }
  })
  const gaps = spans.filter(({ isGap }) => isGap).map(({ start, end }) => ({ start, end }))
  const all = visible(text)
  const bare = gaps.reduce((sum, { start, end }) => sum + visible(text.slice(start, end)), 0)
  return { spans, places, share: all === 0 ? 1 : (all - bare) / all, gaps }
}

function placesOf(text: string, children: readonly Pick<ChildChunkRecord, 'content'>[]): (Range | null)[] {
  let from = 0
  return children.map(({ content }) => {
    const words = content?.trim() ?? ''
    if (words === '') return null
    const behind = text.indexOf(words, from)
    const start = behind === -1 ? text.indexOf(words) : behind
    if (start === -1) return null
    from = start + 1
    return { start, end: start + words.length }
  })
}

const visible = (text: string): number => text.replace(/\s/g, '').length
