import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CJK_RADICALS, foldCompatibility, foldGlyphCharacters, RADICAL_IDEOGRAPHS } from './foldCompatibility.ts'

test('radicals, ligatures and full-width letters are the characters that a person types', () => {
  expect(foldGlyphCharacters('⼀份⽂档，⽤⼾⽆法打开⻓⻚⾯')).toBe('一份文档，用户无法打开长页面')
  expect(foldGlyphCharacters('ﬁne oﬃce ＡＢＣ１２３ ｱﾊﾟｰﾄ')).toBe('fine office ABC123 アパート')
  expect(foldCompatibility('⽂档ＡＢＣ，ﬁ①')).toBe('文档ABC,fi1')
})

test('what has a meaning of its own stays in the text of a PDF', () => {
  expect(foldGlyphCharacters('12 m² ½ ① 你好，世界！（一）：㎡™')).toBe('12 m² ½ ① 你好，世界！（一）：㎡™')
})

test('each radical has one ideograph, and a text that is folded stays as it is', () => {
  expect([...CJK_RADICALS].length).toBe([...RADICAL_IDEOGRAPHS].length)
  expect(new Set(CJK_RADICALS).size).toBe([...CJK_RADICALS].length)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0x20, max: 0xffff }), { maxLength: 200 }), (codes) => {
      const text = String.fromCharCode(...codes).toWellFormed()
      expect(foldCompatibility(foldCompatibility(text))).toBe(foldCompatibility(text))
      expect(foldGlyphCharacters(foldGlyphCharacters(text))).toBe(foldGlyphCharacters(text))
      expect(foldCompatibility(foldGlyphCharacters(text))).toBe(foldCompatibility(text))
    }),
  )
})
