import { expect, test } from 'vitest'
import { extract } from './extract.ts'
import { pieces } from './pieces.ts'
import { summarise } from './summarise.ts'
import { titleOf } from './title.ts'

/** Texts that make careless patterns run for minutes; here they are done well within the time of a test. */
const HOSTILE = [
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

test.each(HOSTILE)('%s many times is read in time', (_, text) => {
  const passages = [{ mark: 1, content: text, score: 1 }]
  expect(extract({ question: text, earlier: [], passages, most: 3 })).not.toBe('')
  expect(summarise({ text, most: 3 })).not.toBe('')
  expect(titleOf(text).length).toBeLessThanOrEqual(48)
  expect(pieces(text).join('')).toBe(text)
})
