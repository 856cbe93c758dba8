import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverageOf } from './coverage.ts'

const words = fc.array(fc.constantFrom('lamp', 'seat', 'gap', '中文', '👍🏽', ' ', '\n', '. '), { maxLength: 40 })
const texts = words.map((list) => list.join(' '))

test('the spans joined are the text, and every place holds its child', () => {
  fc.assert(
    fc.property(texts, fc.array(texts, { maxLength: 6 }), (text, contents) => {
      const { spans, places, share } = coverageOf(
        text,
        contents.map((content) => ({ content })),
      )
      expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
      for (const [index, place] of places.entries())
        if (place) expect(text.slice(place.start, place.end)).toBe(contents[index]?.trim())
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(1)
    }),
  )
})

test('pieces that were cut from the text are all found in their order, and nothing is left bare', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('lamp seat', 'gap', 'lamp', '中文。'), { minLength: 1 }), (pieces) => {
      const { places, share, gaps } = coverageOf(
        pieces.join('\n'),
        pieces.map((content) => ({ content })),
      )
      const starts = places.map((place) => place?.start ?? -1)
      expect(starts).toEqual([...starts].sort((one, other) => one - other))
      expect(new Set(starts).size).toBe(pieces.length)
      expect([share, gaps]).toEqual([1, []])
    }),
  )
})

test('what no child holds is a gap, and a child whose words are elsewhere has no place', () => {
  const text = 'One. Two. Three.'
  const { gaps, places, share } = coverageOf(text, [{ content: 'One.' }, { content: 'Three.' }, { content: 'Four.' }])
  expect(gaps.map(({ start, end }) => text.slice(start, end).trim())).toEqual(['Two.'])
  expect(places.map(Boolean)).toEqual([true, true, false])
  expect(share).toBeCloseTo(10 / 14)
})
