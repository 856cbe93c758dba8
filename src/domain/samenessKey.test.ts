import { expect, it } from 'vitest'
import { isSameText } from './samenessKey.ts'

it.each([
  ['Übersicht.pdf', 'U\u0308bersicht.pdf', true],
  ['Reisekosten', 'Reise\u00ADkosten', true],
  ['in\u200Bvisible\uFEFF', 'invisible', true],
  ['한글.txt', '한글.txt'.normalize('NFD'), true],
  ['が', 'か\u3099', true],
  ['Strasse.pdf', 'Straße.pdf', false],
  ['cafe', 'café', false],
  ['FAQ', 'faq', false],
  ['FAQ', 'ＦＡＱ', false],
  ['m2', 'm²', false],
])('%j and %j', (one, other, isSame) => {
  expect(isSameText(one, other)).toBe(isSame)
})
