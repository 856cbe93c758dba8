import { extractAnswer } from '../../server/platform/model/extractiveAnswer.ts'
import { phrasesFor } from '../../server/platform/model/phrases.ts'
import { chatApp } from '../../server/platform/apps/appDefinitions.ts'

/** A segment that was found, with the id of its document in the collection. */
export interface RetrievedSegment {
  id: string
  content: string
  answer: string | null
  score: number
}

const NEAREST = '\0'
/** Number of passages that an answer reads. */
export const PASSAGES_PER_ANSWER = chatApp.top_k
const MAX_SENTENCES = chatApp.sentences['normal'] ?? 3

/** Answers as the built-in chat does: from its number of passages, with its number of sentences. */
export function answerFrom(question: string, segments: readonly RetrievedSegment[]): string {
  return extractAnswer({
    question,
    earlier: [],
    passages: segments
      .slice(0, PASSAGES_PER_ANSWER)
      .map(({ content, answer, score }, index) => ({ mark: index + 1, content, answer, score })),
    maxSentences: MAX_SENTENCES,
  })
}

/** Whether the answer is a quote, not the phrase that nothing answers. */
export function isAnswered(question: string, answer: string): boolean {
  const { nothing, unanswered } = phrasesFor(question)
  const [beginning = ''] = unanswered(NEAREST).split(NEAREST)
  return answer !== nothing && !answer.startsWith(beginning)
}

/** Whether the text of the answer, without its citations, holds one of the gold texts. */
export function holdsGoldText(answer: string, goldTexts: readonly string[]): boolean {
  const text = normalize(answer.replace(/\[\d+\]/g, ' '))
  return goldTexts.some((gold) => normalize(gold) !== '' && text.includes(normalize(gold)))
}

/** Case, width, punctuation and space do not count. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
