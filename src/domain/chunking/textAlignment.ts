/** A part that two texts have in common: `length` UTF-16 units from `at` in the text and from `from` in its variant. */
export interface CommonPart {
  at: number
  from: number
  length: number
}
/** Where in the text a variant is looked for, in UTF-16 units. */
export interface AlignmentWindow {
  start: number
  end: number
}

/** Places of one seed that are compared, and the best of them that are kept. */
const MAX_SEED_PLACES = 64
const MAX_KEPT_PLACES = 8
const MAX_CROWDED_ANCHORS = 400
const MAX_ANCHORS = 2_000
/** Earlier anchors that a chain may go on from. */
const MAX_CHAIN_LOOKBACK = 200
/** What a character of distance between two parts costs: far parts must be long to count as one passage. */
const DISTANCE_COST = 0.05
/** Between two parts, texts of at most so many characters are compared one by one. */
const MAX_REFINED_CHARS = 240
/** How much further than the variant is long its ends are looked for. */
const EDGE_CHARS = 16
/** Comparisons of one aligner, about 0.2 s; what is asked for afterwards has nothing in common. */
const MAX_STEPS = 20_000_000

/**
 * Finds what variants of passages have in common with one text, in time that grows with the length of the variant: parts
 * that share a few characters are found by an index, extended, and the chain of them is taken that explains most of the
 * variant. A diff of the whole text would take time that grows with text and variant together.
 */
export class TextAligner {
  private readonly indexes = new Map<number, Map<string, number[]>>()
  private steps = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The common parts of a variant, in the order of both texts, none overlapping another. */
  align(variant: string, window: AlignmentWindow = { start: 0, end: this.text.length }): CommonPart[] {
    if (variant === '' || this.steps > MAX_STEPS) return []
    const chain = this.chainAnchors(this.findAnchors(variant, window))
    return this.refine(variant, chain, window)
  }

  private findAnchors(variant: string, { start, end }: AlignmentWindow): CommonPart[] {
    const seedLength = getSeedLength(variant)
    const index = this.getIndex(seedLength)
    const anchors: CommonPart[] = []
    let from = 0
    while (from + seedLength <= variant.length && anchors.length < MAX_ANCHORS && this.steps <= MAX_STEPS) {
      this.steps++
      const places = index.get(variant.slice(from, from + seedLength)) ?? []
      const found = this.extendSeeds({ variant, from, places, window: { start, end }, seedLength })
      found.sort((one, other) => other.length - one.length)
      const kept = found.slice(0, anchors.length < MAX_CROWDED_ANCHORS ? MAX_KEPT_PLACES : 1)
      anchors.push(...kept)
      const longest = kept[0]
      from = longest ? Math.max(from + 1, longest.from + longest.length) : from + 1
    }
    return anchors.sort((one, other) => one.from - other.from || one.at - other.at)
  }

  private extendSeeds({ variant, from, places, window, seedLength }: SeedSearch): CommonPart[] {
    const found: CommonPart[] = []
    for (let index = findLowerBound(places, window.start); index < places.length; index++) {
      const at = places[index] ?? 0
      if (at + seedLength > window.end || found.length === MAX_SEED_PLACES) break
      let length = seedLength
      while (
        at + length < window.end &&
        from + length < variant.length &&
        this.text.charCodeAt(at + length) === variant.charCodeAt(from + length)
      )
        length++
      let before = 0
      while (
        at - before > window.start &&
        from - before > 0 &&
        this.text.charCodeAt(at - before - 1) === variant.charCodeAt(from - before - 1)
      )
        before++
      this.steps += length - seedLength + before
      found.push({ at: at - before, from: from - before, length: length + before })
    }
    return found
  }

  /** The anchors of the best chain, trimmed where they overlap. */
  private chainAnchors(anchors: readonly CommonPart[]): CommonPart[] {
    const scores: number[] = []
    const previous: number[] = []
    let best = -1
    for (const [index, anchor] of anchors.entries()) {
      let score = anchor.length
      let bestPrevious = -1
      for (let other = Math.max(0, index - MAX_CHAIN_LOOKBACK); other < index; other++) {
        const before = anchors[other]
        if (!before || before.at >= anchor.at || before.from >= anchor.from) continue
        const overlap = getOverlap(before, anchor)
        if (overlap >= anchor.length) continue
        const distance = Math.abs(anchor.at - anchor.from - (before.at - before.from))
        const joined = (scores[other] ?? 0) + anchor.length - overlap - distance * DISTANCE_COST
        if (joined > score) {
          score = joined
          bestPrevious = other
        }
      }
      this.steps += Math.min(index, MAX_CHAIN_LOOKBACK)
      scores.push(score)
      previous.push(bestPrevious)
      if (best === -1 || score > (scores[best] ?? 0)) best = index
    }
    const chain: CommonPart[] = []
    for (let index = best; index !== -1; index = previous[index] ?? -1) {
      const anchor = anchors[index]
      if (anchor) chain.unshift(anchor)
    }
    return chain.map((anchor, index) => {
      const before = chain[index - 1]
      const overlap = before ? getOverlap(before, anchor) : 0
      return { at: anchor.at + overlap, from: anchor.from + overlap, length: anchor.length - overlap }
    })
  }

  /** Compares what stands between the parts character by character: edits that stand close together leave no seed. */
  private refine(variant: string, chain: readonly CommonPart[], { start, end }: AlignmentWindow): CommonPart[] {
    const first = chain[0]
    const last = chain.at(-1)
    if (!first || !last) return []
    const [lastAt, lastFrom] = [last.at + last.length, last.from + last.length]
    // Before the first part and behind the last one, about as much of the text as there is of the variant.
    const before = { at: Math.max(start, first.at - first.from - EDGE_CHARS), from: 0 }
    const behind = Math.min(end, lastAt + variant.length - lastFrom + EDGE_CHARS)
    return [
      ...this.compareBetween(variant, before, first),
      ...chain.flatMap((part, index) => {
        const previous = chain[index - 1]
        if (!previous) return [part]
        const open = { at: previous.at + previous.length, from: previous.from + previous.length }
        return [...this.compareBetween(variant, open, part), part]
      }),
      ...this.compareBetween(variant, { at: lastAt, from: lastFrom }, { at: behind, from: variant.length }),
    ]
  }

  private compareBetween(variant: string, open: TextPlaces, close: TextPlaces): CommonPart[] {
    const [inText, inVariant] = [this.text.slice(open.at, close.at), variant.slice(open.from, close.from)]
    if (inText === '' || inVariant === '' || inText.length + inVariant.length > MAX_REFINED_CHARS) return []
    this.steps += inText.length * inVariant.length
    return findCommonRuns(inText, inVariant).map(({ at, from, length }) => ({
      at: at + open.at,
      from: from + open.from,
      length,
    }))
  }

  private getIndex(seedLength: number): Map<string, number[]> {
    const known = this.indexes.get(seedLength)
    if (known) return known
    const index = new Map<string, number[]>()
    for (let at = 0; at + seedLength <= this.text.length; at++) {
      const seed = this.text.slice(at, at + seedLength)
      const places = index.get(seed)
      if (places) places.push(at)
      else index.set(seed, [at])
    }
    this.indexes.set(seedLength, index)
    return index
  }
}

type TextPlaces = Pick<CommonPart, 'at' | 'from'>

interface SeedSearch {
  variant: string
  from: number
  places: readonly number[]
  window: AlignmentWindow
  seedLength: number
}

/** Long seeds are rare by chance; in a short text, or one of CJK, they would miss what it shares. */
function getSeedLength({ length }: string): number {
  if (length >= 64) return 8
  if (length >= 24) return 5
  return length >= 8 ? 3 : 2
}

const getOverlap = (before: CommonPart, part: CommonPart): number =>
  Math.max(0, before.at + before.length - part.at, before.from + before.length - part.from)

function findLowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The longest run that both have, then what they share before it and behind it. */
function findCommonRuns(text: string, variant: string): CommonPart[] {
  const longest = findLongestRun(text, variant)
  if (!isMeaningfulRun(text.slice(longest.at, longest.at + longest.length))) return []
  const [at, from] = [longest.at + longest.length, longest.from + longest.length]
  return [
    ...findCommonRuns(text.slice(0, longest.at), variant.slice(0, longest.from)),
    longest,
    ...findCommonRuns(text.slice(at), variant.slice(from)).map((run) => ({
      at: run.at + at,
      from: run.from + from,
      length: run.length,
    })),
  ]
}

/** Two letters of an alphabet are shared by chance; two characters of CJK are a word. */
const isMeaningfulRun = (run: string): boolean => run.length >= 3 || /[^\u0000-\u02ff]{2}/.test(run)

function findLongestRun(text: string, variant: string): CommonPart {
  let longest: CommonPart = { at: 0, from: 0, length: 0 }
  // Lengths of the runs that end at each character of the variant, for one character of the text after the other.
  let lengths = new Uint16Array(variant.length + 1)
  for (let at = 0; at < text.length; at++) {
    const next = new Uint16Array(variant.length + 1)
    for (let from = 0; from < variant.length; from++) {
      if (text.charCodeAt(at) !== variant.charCodeAt(from)) continue
      const length = (lengths[from] ?? 0) + 1
      next[from + 1] = length
      if (length > longest.length) longest = { at: at - length + 1, from: from - length + 1, length }
    }
    lengths = next
  }
  return longest
}
