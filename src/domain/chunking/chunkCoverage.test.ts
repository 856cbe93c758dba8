import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findStaleChunks, getChunkCoverage } from './chunkCoverage.ts'

const words = fc.array(fc.constantFrom('lamp', 'seat', 'gap', '中文', '👍🏽', ' ', '\n', '. '), { maxLength: 40 })
const texts = words.map((list) => list.join(' '))
const toChildren = (contents: readonly string[]) => contents.map((content) => ({ content }))
const countVisible = (text: string) => text.replace(/\s/g, '').length

test('the spans joined are the text, and every place holds the words of its child', () => {
  fc.assert(
    fc.property(texts, fc.array(texts, { maxLength: 6 }), (text, contents) => {
      const { spans, placements, coveredShare } = getChunkCoverage(text, toChildren(contents))
      expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
      for (const [index, placement] of placements.entries()) {
        const content = contents[index]?.trim() ?? ''
        if (placement?.isExact)
          expect(placement.ranges.map(({ start, end }) => text.slice(start, end))).toEqual([content])
        let [at, end] = [0, 0]
        for (const range of placement?.ranges ?? []) {
          expect(range.start).toBeGreaterThanOrEqual(end)
          end = range.end
          const found = content.indexOf(text.slice(range.start, range.end)[0] ?? '', at)
          expect(found).toBeGreaterThanOrEqual(0)
          at = found
        }
      }
      expect(coveredShare).toBeGreaterThanOrEqual(0)
      expect(coveredShare).toBeLessThanOrEqual(1)
    }),
  )
})

test('pieces that were cut from the text are all found in their order, and nothing is left bare', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('lamp seat', 'gap', 'lamp', '中文。'), { minLength: 1 }), (pieces) => {
      const { placements, coveredShare, gaps } = getChunkCoverage(pieces.join('\n'), toChildren(pieces))
      const starts = placements.map((placement) => placement?.ranges[0]?.start ?? -1)
      expect(starts).toEqual([...starts].sort((one, other) => one - other))
      expect(new Set(starts).size).toBe(pieces.length)
      expect([coveredShare, gaps]).toEqual([1, []])
    }),
  )
})

test('what no child holds is a gap, and a child whose words are elsewhere has no place', () => {
  const text = 'One. Two. Three.'
  const { gaps, placements, coveredShare } = getChunkCoverage(text, toChildren(['One.', 'Three.', 'Four.']))
  expect(gaps.map(({ start, end }) => text.slice(start, end).trim())).toEqual(['Two.'])
  expect(placements.map(Boolean)).toEqual([true, true, false])
  expect(coveredShare).toBeCloseTo(10 / 14)
})

/** A text of sentences that are not alike, and one of them with some characters in the place of others. */
const editedParents = fc
  .record({
    sentences: fc.array(
      fc.array(
        fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz中文灯座间隙'), minLength: 2, maxLength: 9 }),
        { minLength: 12, maxLength: 40 },
      ),
      { minLength: 1, maxLength: 8 },
    ),
    which: fc.nat(),
    at: fc.nat(),
    removed: fc.nat({ max: 10 }),
    added: fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 10 }),
  })
  .map(({ sentences, which, at, removed, added }) => {
    const pieces = sentences.map((list) => `${list.join(' ')}.`)
    const place = which % pieces.length
    const piece = pieces[place] ?? ''
    const from = at % piece.length
    const edited = piece.slice(0, from) + added + piece.slice(from + removed)
    return { text: pieces.join('\n'), pieces, edited: pieces.with(place, edited), removed, place, added }
  })

test('a change of at most ten characters changes what is covered by about as many', () => {
  fc.assert(
    fc.property(editedParents, ({ text, edited, removed, place, added }) => {
      const { coveredShare, placements } = getChunkCoverage(text, toChildren(edited))
      const uncovered = Math.round((1 - coveredShare) * countVisible(text))
      // One character of the edge may match by chance, or belong to a part that is too short to be found.
      expect(uncovered).toBeLessThanOrEqual(removed + 8)
      expect(placements[place]?.foreignChars ?? 0).toBeLessThanOrEqual(added.length + 8)
    }),
  )
})

test('children that have the former text of a changed parent are named, others are not', () => {
  const before = 'The first seat is cold. The second seat is warm. The third seat is of brass.'
  const children = toChildren(['The first seat is cold.', 'The second seat is warm.', 'The third seat is of brass.'])
  expect(findStaleChunks(before, before.replace('warm', 'hot'), children)).toEqual([1])
  expect(findStaleChunks(before, before.replace('seat is of', 'seat of 1912 is of'), children)).toEqual([2])
  expect(findStaleChunks(before, `${before} A fourth seat.`, children)).toEqual([])
  expect(findStaleChunks(before, 'Something else.', children)).toEqual([0, 1, 2])
  // Known to differ before, and not touched by the change.
  const differing = toChildren(['The first seat is rather cold.', 'The second seat is warm.'])
  expect(findStaleChunks(before, before.replace('warm', 'hot'), differing)).toEqual([1])
})

test('long parents with many changed children, and texts of one character, take a moment', () => {
  const sentence = (index: number) =>
    `Part ${index} of the lamp ${(index * 7919) % 10_007} is checked on day ${index % 365}.`
  const pieces = Array.from({ length: 2_000 }, (_, index) => sentence(index))
  const changed = pieces.map((piece) => piece.replace('is checked', 'was looked at'))
  expect(getChunkCoverage(pieces.join('\n'), toChildren(changed)).coveredShare).toBeGreaterThan(0.7)
  const same = 'a'.repeat(100_000)
  // Comparing each part with each would take minutes.
  const children = toChildren([`${'a'.repeat(50_000)}b${'a'.repeat(49_000)}`, `${'a'.repeat(70_000)}c`])
  expect(getChunkCoverage(same, children).placements).toHaveLength(2)
})
