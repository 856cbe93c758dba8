import { expect, test } from 'vitest'
import type { MetadataOperator } from '#contract/platform/schemas.ts'
import { meetsCondition } from './metadataFilter.ts'

type ConditionCase = [
  given: string | number | null,
  operator: MetadataOperator,
  value: string | number | string[] | null,
]

test.each<ConditionCase>([
  ['Fujian', 'contains', 'uji'],
  ['Fujian', 'not contains', 'xyz'],
  ['Fujian', 'start with', 'Fu'],
  ['Fujian', 'end with', 'an'],
  ['Fujian', 'is', 'Fujian'],
  [2020, 'is', '2020'],
  ['2020', '=', 2020],
  [2020.5, '≠', 2020],
  ['Fujian', 'is not', 'Yunnan'],
  [null, 'empty', null],
  ['', 'empty', null],
  [0, 'not empty', null],
  ['a', 'in', ['a', 'b']],
  ['b', 'in', 'a, b'],
  ['c', 'not in', 'a, b'],
  [3, '>', 2],
  [3, '≥', 3],
  ['1795361480', 'before', 1795361481],
  [1795361482, 'after', '1795361481'],
  [2, '≤', 2],
  [1, '<', 2],
])('%j %s %j', (given, operator, value) => {
  expect(meetsCondition(given, { operator, value })).toBe(true)
})

test.each<ConditionCase>([
  ['Fujian', 'contains', 'fuj'],
  [null, 'is not', 'Yunnan'],
  [null, 'not contains', 'x'],
  [null, 'not in', ['x']],
  [null, 'not empty', null],
  ['x', 'empty', null],
  ['word', '<', 2],
  [2, '<', 2],
  ['', 'is', ''],
  [1, 'in', '2, 3'],
])('not: %j %s %j', (given, operator, value) => {
  expect(meetsCondition(given, { operator, value })).toBe(false)
})
