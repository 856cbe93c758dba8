import { expect, test } from 'vitest'
import { toMetadataFilter } from './metadataConditions.ts'

const FIELDS = [
  { name: 'region', type: 'string' },
  { name: 'year', type: 'number' },
]

test('conditions are sent with values of their type; those without one are left out', () => {
  expect(
    toMetadataFilter(
      [
        { name: 'region', operator: 'contains', value: 'uji' },
        { name: 'year', operator: '>', value: '2020' },
        { name: 'year', operator: '<', value: '' },
        { name: 'region', operator: 'empty', value: 'kept from before' },
      ],
      true,
      FIELDS,
    ),
  ).toEqual({
    logical_operator: 'or',
    conditions: [
      { name: 'region', comparison_operator: 'contains', value: 'uji' },
      { name: 'year', comparison_operator: '>', value: 2020 },
      { name: 'region', comparison_operator: 'empty' },
    ],
  })
  expect(toMetadataFilter([{ name: 'year', operator: '=', value: 'soon' }], false, FIELDS)).toBeUndefined()
  expect(toMetadataFilter([], false, FIELDS)).toBeUndefined()
})
