import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

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
  expect(initialsOf(name)).toBe(letters)
})
