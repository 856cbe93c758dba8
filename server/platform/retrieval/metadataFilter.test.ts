import { expect, test } from 'vitest'
import type { MetadataOperator, MetadataType } from '#contract/platform/schemas.ts'
import { meetsCondition } from './metadataFilter.ts'

type ConditionCase = [
  type: MetadataType,
  given: string | number | null,
  operator: MetadataOperator,
  value: string | number | string[] | null,
]

test.each<ConditionCase>([
  ['string', 'Fujian', 'contains', 'uji'],
  ['string', 'Fujian', 'not contains', 'xyz'],
  ['string', 'Fujian', 'start with', 'Fu'],
  ['string', 'Fujian', 'end with', 'an'],
  ['string', 'Fujian', 'is', 'Fujian'],
  ['string', 'Fujian', 'is not', 'Yunnan'],
  ['string', 'Mu\u0308nchen', 'is', 'München'],
  ['string', 'Mün\u00ADchen', 'start with', 'Mu\u0308n'],
  ['string', 42, '=', '42'],
  ['number', 2020, 'is', '2020'],
  ['number', '2020', '=', 2020],
  ['number', 42, '=', '0042'],
  ['number', 2020.5, '≠', 2020],
  ['number', 'abc', 'is', 'abc'],
  ['number', 3, 'in', '2, 3.0'],
  ['string', null, 'empty', null],
  ['string', '', 'empty', null],
  ['number', 0, 'not empty', null],
  ['string', 'a', 'in', ['a', 'b']],
  ['string', 'b', 'in', 'a, b'],
  ['string', 'Bonn, West', 'in', ['Bonn, West']],
  ['string', 'Bonn, West', 'in', 'Bonn, West'],
  ['string', 'c', 'not in', 'a, b'],
  ['number', 3, '>', 2],
  ['number', 3, '≥', 3],
  ['number', '10', '>', '9'],
  ['time', '1795361480', 'before', 1795361481],
  ['time', 1795361482, 'after', '1795361481'],
  ['time', 1709164800, 'is', '2024-02-29'],
  ['time', '2024-03-01', 'after', '2024-02-29T23:59Z'],
  ['number', 2, '≤', 2],
  ['number', 1, '<', 2],
])('%s %j %s %j', (type, value, operator, operand) => {
  expect(meetsCondition({ type, value }, { operator, value: operand })).toBe(true)
})

test.each<ConditionCase>([
  ['string', 'Fujian', 'contains', 'fuj'],
  ['string', '0042', 'is', '42'],
  ['string', '4.2e1', '=', 42],
  ['string', 'Strasse', 'is', 'Straße'],
  ['string', 'Bonn', 'in', ['Bonn, West']],
  ['string', null, 'is not', 'Yunnan'],
  ['string', null, 'not contains', 'x'],
  ['string', null, 'not in', ['x']],
  ['string', null, 'not empty', null],
  ['string', 'x', 'empty', null],
  ['number', 'word', '<', 2],
  ['number', 'word', '≥', 2],
  ['number', 2, '<', 2],
  ['string', '', 'is', ''],
  ['number', 1, 'in', '2, 3'],
])('not: %s %j %s %j', (type, value, operator, operand) => {
  expect(meetsCondition({ type, value }, { operator, value: operand })).toBe(false)
})
