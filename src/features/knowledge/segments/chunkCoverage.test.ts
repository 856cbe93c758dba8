import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getChunkCoverage } from './chunkCoverage.ts'

const words = fc.array(fc.constantFrom('lamp', 'seat', 'gap', '中文', '👍🏽', ' ', '\n', '. '), { maxLength: 40 })
const texts = words.map((list) => list.join(' '))

test('the spans joined are the text, and every place holds its child', () => {
  fc.assert(
    fc.property(texts, fc.array(texts, { maxLength: 6 }), (text, contents) => {
      const { spans, ranges, coveredShare } = getChunkCoverage(
        text,
        contents.map((content) => ({ content })),
      )
      expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
      for (const [index, place] of ranges.entries())
        if (place) expect(text.slice(place.start, place.end)).toBe(contents[index]?.trim())
      expect(coveredShare).toBeGreaterThanOrEqual(0)
      expect(coveredShare).toBeLessThanOrEqual(1)
    }),
  )
})

test('pieces that were cut from the text are all found in their order, and nothing is left bare', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('lamp seat', 'gap', 'lamp', '中文。'), { minLength: 1 }), (pieces) => {
      const { ranges, coveredShare, gaps } = getChunkCoverage(
        pieces.join('\n'),
        pieces.map((content) => ({ content })),
      )
      const starts = ranges.map((place) => place?.start ?? -1)
      expect(starts).toEqual([...starts].sort((one, other) => one - other))
      expect(new Set(starts).size).toBe(pieces.length)
      expect([coveredShare, gaps]).toEqual([1, []])
    }),
  )
})

test('what no child holds is a gap, and a child whose words are elsewhere has no place', () => {
  const text = 'One. Two. Three.'
  const { gaps, ranges, coveredShare } = getChunkCoverage(text, [
    { content: 'One.' },
    { content: 'Three.' },
    { content: 'Four.' },
  ])
  expect(gaps.map(({ start, end }) => text.slice(start, end).trim())).toEqual(['Two.'])
  expect(ranges.map(Boolean)).toEqual([true, true, false])
  expect(coveredShare).toBeCloseTo(10 / 14)
})
