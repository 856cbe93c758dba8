import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toPieces } from './textPieces.ts'

const part = fc.oneof(fc.constantFrom('\n', ' ', '\r\n', '𝄞', 'a'.repeat(3_999), 'word '), fc.string({ maxLength: 20 }))
const text = fc.array(fc.tuple(part, fc.nat(900)), { maxLength: 8 }).map((parts) =>
  parts
    .map(([one, times]) => one.repeat(times))
    .join('')
    .slice(0, 40_000),
)

test('joined, the pieces are the text, each stands where it says, and none is long or parts a character', () => {
  fc.assert(
    fc.property(text, (given) => {
      const pieces = toPieces(given)
      expect(pieces.map((piece) => piece.text).join('')).toBe(given)
      for (const piece of pieces) {
        expect(given.startsWith(piece.text, piece.from)).toBe(true)
        expect(piece.text.length).toBeGreaterThan(0)
        expect(piece.text.length).toBeLessThanOrEqual(4_000)
        expect(piece.text.isWellFormed()).toBe(given.isWellFormed() || piece.text.isWellFormed())
      }
    }),
  )
})
