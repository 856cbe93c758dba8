import { expect, test } from 'vitest'
import fc from 'fast-check'
import { holds } from './condition.ts'
import type { Condition } from './graph.ts'
import { shorten } from './shorten.ts'
import { namesIn, render } from './template.ts'

test.each<[Condition['operator'], Condition['value'], unknown, boolean]>([
  ['empty', undefined, null, true],
  ['empty', undefined, '', true],
  ['empty', undefined, [], true],
  ['empty', undefined, {}, true],
  ['empty', undefined, 0, false],
  ['empty', undefined, false, false],
  ['not empty', undefined, 'x', true],
  ['is', true, true, true],
  ['is', 'true', true, true],
  ['is', 3, '3', true],
  ['is not', 'a', 'b', true],
  ['contains', 'ell', 'hello', true],
  ['contains', 'b', ['a', 'b'], true],
  ['contains', 'b', ['ab'], false],
  ['not contains', 'x', null, true],
  ['>', 3, '10', true],
  ['<', 3, 'many', false],
  ['≥', 3, 3, true],
  ['≤', 3, 4, false],
])('%s %j holds for %j: %s', (operator, value, found, expected) => {
  expect(holds({ operator, value, variable_selector: ['a', 'b'] }, found)).toBe(expected)
})

test('a template is text with values in it: nothing is run, what is not there is nothing', () => {
  const values: Record<string, unknown> = { 'a.b': 'B', n: 3, list: ['one', 'two'], object: { deep: [1] }, none: null }
  const look = (name: string) => values[name]
  expect(render('{{a.b}} {{ n }} {{list}} {{object}} [{{none}}] [{{missing}}]', look)).toBe(
    'B 3 one\n\ntwo {"deep":[1]} [] []',
  )
  expect(render('{{ 1 + 1 }} {{}} {{{n}}} {% if %}', look)).toBe(' {{}} {3} {% if %}')
  expect(render('{{x}}', () => '{{n}}')).toBe('{{n}}')
  expect(render('{{x}}', () => '$& $1')).toBe('$& $1')
  expect(namesIn('{{a.b}} {{ n }}')).toEqual(['a.b', 'n'])
})

test('a template without names is left as it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{{')),
      (text) => {
        expect(render(text, () => 'x')).toBe(text)
      },
    ),
  )
})

test('what events carry is small, the rest is unchanged', () => {
  expect(shorten({ text: 'short', list: [1, null, { a: true }] })).toEqual({
    value: { text: 'short', list: [1, null, { a: true }] },
    truncated: false,
  })
  const long = shorten({ text: 'a'.repeat(20_000), list: Array.from({ length: 200 }, (_, index) => index) })
  expect(long.truncated).toBe(true)
  expect(long.value.text).toHaveLength(10_001)
  expect(long.value.list).toHaveLength(100)
  expect(shorten(`${'a'.repeat(9_999)}😀`).value.isWellFormed()).toBe(true)
})

test('any JSON stays JSON when it is shortened', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const { value: short, truncated } = shorten(value)
      if (!truncated) expect(short).toEqual(value)
      expect(() => JSON.stringify(short)).not.toThrow()
    }),
  )
})
