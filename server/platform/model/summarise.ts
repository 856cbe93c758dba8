import { phrasesFor } from './phrases.ts'
import { sentences } from './sentences.ts'
import { overlap, rarity, terms } from './terms.ts'

export interface Summary {
  text: string
  /** The most sentences to keep. */
  most: number
  /** What the reader wants to know; sentences about it are preferred. */
  focus?: string | undefined
  /** As a list rather than as one paragraph. */
  list?: boolean | undefined
}

const SAME = 0.6
/** A summary of a book is taken from its beginning: the work grows with the number of sentences. */
const CHARACTERS = 100_000
const SENTENCES = 2000

/** Summarises a text by the sentences that tell most of it, in their order. Every sentence stands in the text. Markdown. */
export function summarise({ text, most, focus = '', list = false }: Summary): string {
  const all = sentences(text.slice(0, CHARACTERS))
    .filter(({ code }) => !code)
    .slice(0, SENTENCES)
    .map((sentence, order) => ({ text: sentence.text, order, bag: new Set(terms(sentence.text)), score: 0 }))
  if (all.length === 0) return phrasesFor(text).nothingToSummarise
  const weight = rarity(all.map(({ bag }) => bag))
  const often = new Map<string, number>()
  for (const { bag } of all) for (const term of bag) often.set(term, (often.get(term) ?? 0) + 1)
  const wanted = new Set(terms(focus))
  for (const sentence of all) {
    // What the text comes back to, damped by length; the opening of a text tells what it is about.
    const told = [...sentence.bag].reduce((sum, term) => sum + weight(term) * Math.log(1 + (often.get(term) ?? 0)), 0)
    const asked = [...sentence.bag].filter((term) => wanted.has(term)).length
    sentence.score = (told / Math.sqrt(4 + sentence.bag.size)) * (sentence.order === 0 ? 1.3 : 1) * (1 + asked)
  }
  const chosen: typeof all = []
  for (const sentence of all.toSorted((one, other) => other.score - one.score || one.order - other.order)) {
    if (chosen.length === most) break
    if (!chosen.some((one) => overlap(one.bag, sentence.bag) > SAME || one.text === sentence.text))
      chosen.push(sentence)
  }
  const kept = chosen.sort((one, other) => one.order - other.order).map((sentence) => sentence.text)
  if (list) return kept.map((sentence) => `- ${sentence}`).join('\n')
  return kept.join(/\p{Script=Han}/u.test(text) ? '' : ' ')
}
