import { diffChars } from 'diff'

/** A part that two texts have in common: `length` UTF-16 units from `at` in the text and from `from` in its variant. */
interface CommonPart {
  at: number
  from: number
  length: number
}

const MAX_SEEDS = 500
/** Maximum places of one seed that are compared. */
const MAX_SEED_PLACES = 8
/** How much further than its seeds the ends of a variant are searched. */
const EDGE_CHARS = 16
/** A variant with a smaller share of its seeds in the text has nothing in common. */
const MIN_FOUND_SEEDS = 0.1
/** Texts between two seeds with more edits have nothing in common. */
const MAX_EDITS = 500
/** Seeds that are further from the others than this, per character, do not belong to the passage. */
const MAX_DISTANCE_PER_CHAR = 20

/**
 * The common parts of a variant of a passage and a text from `start` to `end`, in the order of both, without
 * overlaps. Pieces of the variant are searched in the text, and the text between them is compared.
 */
export function alignText(text: string, variant: string, start: number, end: number): CommonPart[] {
  const seeds = findSeeds(text, variant, start, end)
  const [first, last] = [seeds[0], seeds.at(-1)]
  if (!first || !last) return []
  const close = Math.min(end, last.at - last.from + variant.length + EDGE_CHARS)
  const runs: CommonPart[] = []
  let at = Math.max(start, first.at - first.from - EDGE_CHARS)
  let from = 0
  for (const seed of [...seeds, { at: close, from: variant.length, length: 0 }]) {
    const changes = diffChars(text.slice(at, seed.at), variant.slice(from, seed.from), { maxEditLength: MAX_EDITS })
    for (const { value, added, removed } of changes ?? []) {
      if (!added && !removed) runs.push({ at, from, length: value.length })
      if (!added) at += value.length
      if (!removed) from += value.length
    }
    runs.push(seed)
    at = seed.at + seed.length
    from = seed.from + seed.length
  }
  return joinRuns(runs).filter((run) => isMeaningfulRun(text.slice(run.at, run.at + run.length)))
}

/** Pieces of the variant in the text; of contradicting ones, the one that agrees with more others. */
function findSeeds(text: string, variant: string, start: number, end: number): CommonPart[] {
  const length = getSeedLength(variant)
  const found: CommonPart[] = []
  const counts = new Map<number, number>()
  const step = Math.max(length, Math.ceil(variant.length / MAX_SEEDS))
  for (let from = 0; from + length <= variant.length; from += step) {
    const seed = variant.slice(from, from + length)
    let at = text.indexOf(seed, start)
    for (let places = 0; at !== -1 && at + length <= end && places < MAX_SEED_PLACES; places++) {
      found.push({ at, from, length })
      counts.set(at - from, (counts.get(at - from) ?? 0) + 1)
      at = text.indexOf(seed, at + 1)
    }
  }
  const countOf = ({ at, from }: CommonPart) => counts.get(at - from) ?? 0
  const [best, ...others] = found.sort((one, other) => countOf(other) - countOf(one))
  if (!best) return []
  const seeds = [best]
  for (const seed of others) {
    const distance = Math.abs(seed.at - seed.from - best.at + best.from)
    if (distance > countOf(seed) * length * MAX_DISTANCE_PER_CHAR) continue
    if (seeds.every((other) => isInOrder(seed, other))) seeds.push(seed)
  }
  if (seeds.length * step < variant.length * MIN_FOUND_SEEDS) return []
  return seeds.sort((one, other) => one.from - other.from)
}

const isInOrder = (one: CommonPart, other: CommonPart): boolean =>
  one.from < other.from ? one.at + one.length <= other.at : one.from > other.from && other.at + other.length <= one.at

function joinRuns(runs: readonly CommonPart[]): CommonPart[] {
  const joined: CommonPart[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    if (last && last.at + last.length === run.at && last.from + last.length === run.from) last.length += run.length
    else joined.push({ ...run })
  }
  return joined
}

/** Long seeds are rarely found by chance; in a short text, or one of CJK, they would miss common parts. */
const getSeedLength = ({ length }: string): number => Math.min(8, Math.max(2, length >> 3))

/** Two letters of an alphabet are shared by chance; two characters of CJK are a word. */
const isMeaningfulRun = (run: string): boolean => run.length >= 3 || /[^\u0000-\u02ff]{2}/.test(run)
