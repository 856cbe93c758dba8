import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSharedSpans, toVocabulary } from './sharedTextSpans.ts'

const shared = (text: string, answer: string) =>
  findSharedSpans(text, toVocabulary(answer)).map(({ from, to }) => text.slice(from, to))

test('words of the answer are found in the source, whatever their case; what says nothing is not', () => {
  expect(
    shared('The gap at the lamp seat must stay below 0.35 mm.', 'Keep the Lamp seat gap under 0.35 mm, that is all.'),
  ).toEqual(['lamp seat', '0.35'])
  expect(shared('part 88-2041-B fits', 'Order 88-2041-B.')).toEqual(['88-2041-B'])
  expect(shared('these could have been with them', 'these could have been with them')).toEqual([])
})

test('Chinese and Japanese text is compared by neighbours, not by words between blanks', () => {
  expect(shared('更换灯泡后须在冷机状态下检查灯座间隙', '请检查灯座间隙，应小于 0.35 毫米')).toEqual(['检查灯座间隙'])
  expect(shared('校准周期为六个月', 'The 校准 周期 is six months')).toEqual(['校准周期'])
  expect(shared('ランプ交換', 'ランプを交換')).toEqual(['ランプ交換'])
  expect(shared('之', '之')).toEqual([])
})

test('spans are in order, apart, and within the text; each begins with something of the answer', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(texts, texts, texts, (before, common, after) => {
      const text = `${before} ${common} ${after}`
      const spans = findSharedSpans(text, toVocabulary(common))
      spans.reduce((end, { from, to }) => {
        expect(from).toBeGreaterThanOrEqual(end)
        expect(to).toBeGreaterThan(from)
        return to
      }, 0)
      expect(spans.at(-1)?.to ?? 0).toBeLessThanOrEqual(text.length)
      expect(findSharedSpans(text, toVocabulary(''))).toEqual([])
    }),
  )
})
