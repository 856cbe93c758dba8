import { expect, test } from 'vitest'
import { formatBytes, formatExactPrice, formatPrice, formatSeconds, formatTokensPerSecond } from './metricFormat.ts'

test('seconds have as many digits as one can read', () => {
  expect([0, 1290, 9_994, 12_340, 123_456].map(formatSeconds)).toEqual(['0.00', '1.29', '9.99', '12.3', '123'])
})

test('a size has the unit in which one can read it', () => {
  expect([0, 4, 999, 1_500, 2_000_000].map(formatBytes)).toEqual(['0 B', '4 B', '999 B', '1.5 kB', '2.0 MB'])
})

test('a price is rounded for reading, whole where it is asked for, and null where the platform gave none', () => {
  expect(formatPrice('0.0040700', 'USD')).toBe('$0.00407')
  expect(formatPrice('0.000014999999999999999', 'USD')).toBe('$0.000015')
  expect(formatPrice('0E-7', 'USD')).toBe('$0')
  expect(formatPrice('0.0', 'USD')).toBe('$0')
  expect(formatPrice('1234.5678', 'USD')).toBe('$1,234.57')
  expect(formatPrice('0.5', 'RMB')).toBe('0.5 RMB')
  expect(formatPrice('0', null)).toBe('0')
  expect(formatPrice('much', null)).toBe('much')
  expect(formatExactPrice('0.000014999999999999999', 'USD')).toBe('$0.000014999999999999999')
  expect([formatPrice('8E-7', 'USD'), formatExactPrice('8E-7', 'USD')]).toEqual(['$0.0000008', '$0.0000008'])
  expect([formatPrice(null, 'USD'), formatPrice(undefined, null), formatPrice('', 'USD')]).toEqual([null, null, null])
})

test('speed counts the tokens after the first one came, and is null where anything is missing', () => {
  expect(formatTokensPerSecond({ completion_tokens: 100 }, 500, 3_000)).toBe('40.0')
  expect(formatTokensPerSecond({ completion_tokens: 100 }, null, 3_000)).toBeNull()
  expect(formatTokensPerSecond(null, 1, 2)).toBeNull()
  expect(formatTokensPerSecond({ completion_tokens: 100 }, 3_000, 3_000)).toBeNull()
})
