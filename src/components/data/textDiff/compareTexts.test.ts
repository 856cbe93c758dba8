import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts, isTooDifferent } from './compareTexts.ts'

const side = (pieces: ReturnType<typeof compareTexts>['pieces'], other: 'added' | 'removed') =>
  pieces
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join('')

test('words that were exchanged are told, and nothing else', () => {
  expect(compareTexts('The lamp is cold.', 'The lamp is warm.')).toEqual({
    granularity: 'words',
    pieces: [
      { kind: 'same', text: 'The lamp is ' },
      { kind: 'removed', text: 'cold' },
      { kind: 'added', text: 'warm' },
      { kind: 'same', text: '.' },
    ],
  })
})

const text = fc.array(fc.constantFrom('a', 'lamp', ' ', '\n', '灯', '😀', 'é', '.', '  '), { maxLength: 60 })

test('both texts stand in the pieces, to the last character', () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const [before, after] = [one.join(''), two.join('')]
      const { pieces } = compareTexts(before, after)
      expect(side(pieces, 'added')).toBe(before)
      expect(side(pieces, 'removed')).toBe(after)
    }),
  )
})

test('giant texts come to an end too, by lines or by what begins and ends both', () => {
  const line = 'The lamp lasts 2,000 hours.\n'
  const before = line.repeat(4_000)
  const lines = compareTexts(before, `${before}One more.\n`)
  expect(lines.granularity).toBe('lines')
  expect(lines.pieces.at(-1)).toEqual({ kind: 'added', text: 'One more.\n' })
  const giant = 'x'.repeat(1_500_000)
  const ends = compareTexts(`${giant}a${giant}`, `${giant}b${giant}`)
  expect(ends.granularity).toBe('ends')
  expect(ends.pieces.map(({ kind, text: { length } }) => [kind, length])).toEqual([
    ['same', 1_500_000],
    ['removed', 1],
    ['added', 1],
    ['same', 1_500_000],
  ])
})

test('texts with little in common are told from those that were edited', () => {
  const judge = (before: string, after: string) => isTooDifferent(compareTexts(before, after), before, after)
  const answer = 'The documents say that a run goes on when its tab is closed, and that every frame of it is kept.'
  expect(
    judge(answer, 'You asked what happens to a lamp of the station at night; nothing in this list is about that.'),
  ).toBe(true)
  expect(judge(answer, answer.replace('every frame', 'each event').replace('goes on', 'continues'))).toBe(false)
  expect(judge(answer, `${answer} More was said about it in another place, at great length and in other words.`)).toBe(
    false,
  )
  // Short texts are read at a glance.
  expect(judge('yes', 'no, it is not')).toBe(false)
  expect(judge(answer, answer)).toBe(false)
})
