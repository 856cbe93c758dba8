import { expect, test } from 'vitest'
import { extractAnswer } from './extractiveAnswer.ts'
import { splitPieces } from './textPieces.ts'
import { extractSummary } from './extractiveSummary.ts'
import { titleFromQuestion } from './conversationTitle.ts'

/** Texts that make careless patterns run for minutes; here they are done well within the time of a test. */
const PATHOLOGICAL_TEXTS = [
  'a',
  ' ',
  '[',
  '![](',
  '(',
  '|',
  ' |',
  '`',
  '- ',
  '- a\n',
  '1. ',
  '# ',
  '>',
  '\n\n',
  'a\n\n',
  '*_',
  'e.g. ',
  '. ',
  '. x',
  '中',
  '\u0301',
  '👩‍👩‍👧‍👦',
  '.\n',
  '\t',
].map((piece) => [JSON.stringify(piece), piece.repeat(Math.ceil(100_000 / piece.length))] as const)

const MANY_WORDS = Array.from({ length: 15_000 }, (_, index) => `word${index}`)
const MANY_TERMS = [
  ['a different word', MANY_WORDS.join(' ')],
  ['a different sentence', MANY_WORDS.join('. ')],
] as const

test.each([...PATHOLOGICAL_TEXTS, ...MANY_TERMS])('%s many times is read in time', (_, text) => {
  const passages = [{ mark: 1, content: text, score: 1 }]
  expect(extractAnswer({ question: text, earlier: [], passages, maxSentences: 3 })).not.toBe('')
  expect(extractSummary({ text, maxSentences: 3 })).not.toBe('')
  expect(titleFromQuestion(text).length).toBeLessThanOrEqual(48)
  expect(splitPieces(text).join('')).toBe(text)
})
