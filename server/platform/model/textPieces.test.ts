import { expect, test } from 'vitest'
import fc from 'fast-check'
import { splitPieces } from './textPieces.ts'

test('a piece is a word with what follows it, or a few characters', () => {
  expect(splitPieces('Hello, world! 绿茶是茶。')).toEqual(['Hello, ', 'world! ', '绿茶', '是', '茶。'])
  expect(splitPieces('')).toEqual([])
})

test('joined the pieces are the text, small, and no character is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const cut = splitPieces(text)
      expect(cut.join('')).toBe(text)
      expect(cut.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true)
      const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
      const starts = new Set([...graphemes.segment(text)].map(({ index }) => index))
      let at = 0
      for (const piece of cut) {
        expect(starts.has(at)).toBe(true)
        at += piece.length
      }
    }),
  )
})

test('a very long word comes in short pieces', () => {
  const cut = splitPieces('a'.repeat(1000))
  expect(Math.max(...cut.map((piece) => piece.length))).toBeLessThanOrEqual(16)
})
