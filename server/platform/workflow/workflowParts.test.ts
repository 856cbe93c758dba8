import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { evaluateCondition } from './executeNode.ts'
import type { NodeCondition } from './workflowGraph.ts'
import { truncateValue } from './truncateValue.ts'
import { listPlaceholders, renderTemplate } from './promptTemplate.ts'

test.each<[NodeCondition['operator'], NodeCondition['value'], unknown, boolean]>([
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
  expect(evaluateCondition({ operator, value, variable_selector: ['a', 'b'] }, found)).toBe(expected)
})

test('a template is text with values in it: nothing is run, what is not there is nothing', () => {
  const values: Record<string, unknown> = { 'a.b': 'B', n: 3, list: ['one', 'two'], object: { deep: [1] }, none: null }
  const look = (name: string) => values[name]
  expect(renderTemplate('{{a.b}} {{ n }} {{list}} {{object}} [{{none}}] [{{missing}}]', look)).toBe(
    'B 3 one\n\ntwo {"deep":[1]} [] []',
  )
  expect(renderTemplate('{{ 1 + 1 }} {{}} {{{n}}} {% if %}', look)).toBe(' {{}} {3} {% if %}')
  expect(renderTemplate('{{x}}', () => '{{n}}')).toBe('{{n}}')
  expect(renderTemplate('{{x}}', () => '$& $1')).toBe('$& $1')
  expect(listPlaceholders('{{a.b}} {{ n }}')).toEqual(['a.b', 'n'])
})

test('a template without names is left as it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('{{')),
      (text) => {
        expect(renderTemplate(text, () => 'x')).toBe(text)
      },
    ),
  )
})

test('what events carry is small, the rest is unchanged', () => {
  expect(truncateValue({ text: 'short', list: [1, null, { a: true }] })).toEqual({
    value: { text: 'short', list: [1, null, { a: true }] },
    truncated: false,
  })
  const long = truncateValue({ text: 'a'.repeat(20_000), list: Array.from({ length: 200 }, (_, index) => index) })
  expect(long.truncated).toBe(true)
  expect(long.value.text).toHaveLength(10_001)
  expect(long.value.list).toHaveLength(100)
  expect(truncateValue(`${'a'.repeat(9_999)}😀`).value.isWellFormed()).toBe(true)
})

test('any JSON stays JSON when it is shortened', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const { value: short, truncated } = truncateValue(value)
      expect(truncated || isDeepStrictEqual(short, value)).toBe(true)
      expect(() => JSON.stringify(short)).not.toThrow()
    }),
  )
})
