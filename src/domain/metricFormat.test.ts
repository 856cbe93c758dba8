import { expect, test } from 'vitest'
import { formatPrice, formatSeconds, formatTokensPerSecond } from './metricFormat.ts'

test('seconds have as many digits as one can read', () => {
  expect([0, 1290, 9_994, 12_340, 123_456].map(formatSeconds)).toEqual(['0.00', '1.29', '9.99', '12.3', '123'])
})

test('a price keeps the digits that the platform gave, and is null where it gave none', () => {
  expect(formatPrice('0.0040700', 'USD')).toBe('$0.0040700')
  expect(formatPrice('0.5', 'RMB')).toBe('0.5 RMB')
  expect(formatPrice('0', null)).toBe('0')
  expect([formatPrice(null, 'USD'), formatPrice(undefined, null), formatPrice('', 'USD')]).toEqual([null, null, null])
})

test('speed counts the tokens after the first one came, and is null where anything is missing', () => {
  expect(formatTokensPerSecond({ completion_tokens: 100 }, 500, 3_000)).toBe('40.0')
  expect(formatTokensPerSecond({ completion_tokens: 100 }, null, 3_000)).toBeNull()
  expect(formatTokensPerSecond(null, 1, 2)).toBeNull()
  expect(formatTokensPerSecond({ completion_tokens: 100 }, 3_000, 3_000)).toBeNull()
})
