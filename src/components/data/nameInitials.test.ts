import { expect, test } from 'vitest'
import { getInitials } from './nameInitials.ts'

test.each([
  ['Built-in platform', 'BP'],
  ['Nordlicht service desk', 'NS'],
  ['  lyon ', 'LY'],
  ['mira.okafor', 'MI'],
  ['校准手册', '校准'],
  ['𝔄lpha 𝔅eta', '𝔄𝔅'],
  ['x', 'X'],
  ['', ''],
])('%j has the letters %j', (name, letters) => {
  expect(getInitials(name)).toBe(letters)
})
