import { expect, test } from 'vitest'
import { findMissingCssTokens } from './cssTokens.ts'

test.each([
  ['a.css', 'p { color: var(--text-2) }', null],
  ['a.css', 'p { color: var(--failed-fg) }', null],
  ['a.css', 'p { gap: var(--mantine-spacing-md) }', null],
  ['a.css', 'p { --own: 1px; width: var(--own) }', null],
  ['a.css', 'p {\n  color: var(--marker, red)\n}', 'a.css:2: no style defines --marker'],
  ['a.tsx', "const a = <p style={{ '--filled': 1, width: 'var(--filled)' }} />", null],
  ['a.tsx', "const a = <p style={{ color: 'var(--text-4)' }} />", 'a.tsx:1: no style defines --text-4'],
  ['a.tsx', 'const a = `var(--${state}-fg)`', null],
])('%s: %s', (path, text, fault) => {
  expect(findMissingCssTokens([{ path, text }])).toEqual(fault ? [fault] : [])
})
