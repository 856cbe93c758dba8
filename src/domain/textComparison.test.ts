import { expect, test } from 'vitest'
import { hasSameNumbers, toComparisonKey } from './textComparison.ts'

test('case, width, spaces and the punctuation at the end make no other text', () => {
  expect(toComparisonKey(' When does the  shop open？ ')).toBe(toComparisonKey('when does the shop open'))
  expect(toComparisonKey('如何退货？')).toBe(toComparisonKey('如何退货'))
  expect(toComparisonKey('Reset\u200B sen\u00ADsor ５')).toBe(toComparisonKey('reset sensor 5'))
})

test('long runs of punctuation and of marks take no long time', () => {
  const began = performance.now()
  for (const run of ['! ', '\u0301\u0316', '\u0316\uFF9E']) toComparisonKey(`${run.repeat(200_000)}x`)
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(toComparisonKey(`e\u0301${'!'.repeat(200)}`)).toBe('\u00e9')
})

test('words, numbers and punctuation inside make another text', () => {
  expect(toComparisonKey('Reset sensor 5')).not.toBe(toComparisonKey('Reset sensor 7'))
  expect(toComparisonKey('Straße')).not.toBe(toComparisonKey('Strasse'))
  expect(toComparisonKey('a-b')).not.toBe(toComparisonKey('ab'))
  expect(toComparisonKey('C++')).not.toBe(toComparisonKey('C'))
})

test('numbers are compared as they are written', () => {
  expect(hasSameNumbers('Hold key 45 for 45 seconds', 'Press key 45 for 45 s')).toBe(true)
  expect(hasSameNumbers('Hold key 45 for 45 seconds', 'Hold key 42 for 42 seconds')).toBe(false)
  expect(hasSameNumbers('Firmware 1.10', 'Firmware 1.1')).toBe(false)
  expect(hasSameNumbers('Sensor ５', 'sensor 5')).toBe(true)
  expect(hasSameNumbers('How do I pair it?', 'How do I pair the remote?')).toBe(true)
})
