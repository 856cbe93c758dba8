import { compareScores, createScorer, type ScoredPassage } from './passageScoring.ts'
import { weighTerms, type TermStatistics } from './queryClauses.ts'
import { toQueryTerms, type TermVector } from './termVector.ts'

/** A searched text: a segment, or one of its child chunks. */
export interface IndexedPassage extends TermVector {
  id: string
  segment_id: string
}

/** Passages that are searched in place of others. */
export interface PassageChanges {
  /** Ids of segments whose passages are left out. */
  hidden: ReadonlySet<string>
  added: readonly IndexedPassage[]
}

export const NO_CHANGES: PassageChanges = { hidden: new Set(), added: [] }

/**
 * Passages in memory, searched by keyword with the terms and scores of the built-in platform. For another platform
 * the result is an estimate.
 */
export class PassageIndex {
  readonly #passages: IndexedPassage[] = []
  readonly #postings = new Map<number, number[]>()
  #words = 0

  add(passage: IndexedPassage): void {
    const place = this.#passages.push(passage) - 1
    this.#words += passage.length
    for (const term of new Set(passage.terms)) {
      const places = this.#postings.get(term)
      if (places) places.push(place)
      else this.#postings.set(term, [place])
    }
  }

  /** The best segments, each with the score of its best passage. */
  search(query: string, limit: number, { hidden, added }: PassageChanges = NO_CHANGES): ScoredPassage[] {
    const queryTerms = toQueryTerms(query)
    const statistics = this.#countTerms(queryTerms, { hidden, added })
    const { terms, totalWeight } = weighTerms(queryTerms, statistics)
    const hashes = new Set(terms.map(({ hash }) => hash))
    const places = new Set(terms.flatMap(({ hash }) => this.#postings.get(hash) ?? []))
    const stored = [...places].flatMap((place) => this.#passages[place] ?? [])
    const all = [
      ...stored.filter(({ segment_id }) => !hidden.has(segment_id)),
      ...added.filter((passage) => passage.terms.some((term) => hashes.has(term))),
    ]
    const score = createScorer(terms, totalWeight, statistics.words)
    const best = new Map<string, ScoredPassage>()
    for (const { id, segment_id, terms: own, length } of all) {
      const found = { id, segment_id, child_chunk_id: null, score: score({ matched: own, length }) }
      const known = best.get(segment_id)
      if (!known || found.score > known.score) best.set(segment_id, found)
    }
    return [...best.values()].sort(compareScores).slice(0, limit)
  }

  #countTerms(queryTerms: readonly { hash: number }[], { hidden, added }: PassageChanges): TermStatistics {
    const counts = new Map<number, number>()
    for (const { hash } of queryTerms) {
      const places = this.#postings.get(hash) ?? []
      const shown =
        hidden.size === 0 ? places : places.filter((place) => !hidden.has(this.#passages[place]?.segment_id ?? ''))
      const passages = shown.length + added.filter(({ terms }) => terms.includes(hash)).length
      if (passages > 0) counts.set(hash, passages)
    }
    const removed = this.#listHidden(hidden)
    const passages = this.#passages.length - removed.length + added.length
    const words = (this.#words - sumLengths(removed) + sumLengths(added)) / Math.max(1, passages) || 1
    return { passages, words, counts, exact: true }
  }

  #listHidden(hidden: ReadonlySet<string>): IndexedPassage[] {
    return hidden.size === 0 ? [] : this.#passages.filter(({ segment_id }) => hidden.has(segment_id))
  }
}

const sumLengths = (passages: readonly { length: number }[]): number =>
  passages.reduce((sum, { length }) => sum + length, 0)
