import { expect, it } from 'vitest'
import { parseMetadataValue } from './metadataValue.ts'

it.each([
  ['string', '0042', '0042'],
  ['string', 42, '42'],
  ['number', '0042', 42],
  ['number', ' 4.2e1 ', 42],
  ['number', '-.5', -0.5],
  ['number', 'abc', undefined],
  ['number', '', undefined],
  ['number', '0x10', undefined],
  ['number', 'Infinity', undefined],
  ['number', '9007199254740993', undefined],
  ['time', 1_795_361_480, 1_795_361_480],
  ['time', '1795361480', 1_795_361_480],
  ['time', '2024-02-29', 1_709_164_800],
  ['time', '2024-02-29 10:30', 1_709_202_600],
  ['time', '2024-02-29T10:30:00+02:00', 1_709_195_400],
  ['time', '2024-02-30', undefined],
  ['time', '2024-02-29T25:00', undefined],
  ['time', 'yesterday', undefined],
])('a %s field: %j is %j', (type, value, parsed) => {
  expect(parseMetadataValue(type, value)).toBe(parsed)
})
