import type { Tokenizer } from './baselineTokenizers.ts'
import { METRICS_DEPTH } from './rankingMetrics.ts'

/** The textbook's parameters. */
const TERM_SATURATION = 1.2
const LENGTH_NORMALIZATION = 0.75

export interface IndexedText {
  id: string
  text: string
}

/** Finds the ids of the best documents, best first. */
export type Search = (query: string) => string[]

interface Posting {
  document: number
  count: number
}

/** Okapi BM25 with exact document frequencies; a term weighs as often as the query has it. */
export function createOkapiIndex(documents: readonly IndexedText[], tokenize: Tokenizer): Search {
  const lengths: number[] = []
  const postings = new Map<string, Posting[]>()
  for (const [document, { text }] of documents.entries()) {
    const terms = tokenize(text)
    lengths.push(terms.length)
    for (const [term, count] of countTerms(terms)) {
      const list = postings.get(term) ?? []
      list.push({ document, count })
      postings.set(term, list)
    }
  }
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (query) => {
    const scores = new Map<number, number>()
    for (const [term, queryCount] of countTerms(tokenize(query))) {
      const list = postings.get(term) ?? []
      const idf = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5))
      for (const { document, count } of list) {
        const relativeLength = (lengths[document] ?? 0) / averageLength
        const norm = TERM_SATURATION * (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relativeLength)
        const weight = (count * (TERM_SATURATION + 1)) / (count + norm)
        scores.set(document, (scores.get(document) ?? 0) + queryCount * idf * weight)
      }
    }
    return [...scores]
      .sort(([one, oneScore], [other, otherScore]) => otherScore - oneScore || one - other)
      .slice(0, METRICS_DEPTH)
      .map(([document]) => documents[document]?.id ?? '')
  }
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
