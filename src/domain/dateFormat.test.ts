import { expect, test } from 'vitest'
import { formatDate, formatDateTime, formatExactTime, parseDateTime } from './dateFormat.ts'

const moment = new Date(2026, 10, 22, 14, 3, 12)

test('a moment is written in one way, whatever the language of the browser', () => {
  expect(formatDate(moment)).toBe('22 Nov 2026')
  expect(formatDateTime(moment)).toBe('22 Nov 2026, 14:03')
  expect(formatExactTime(moment)).toMatch(/^22 Nov 2026, 14:03:12 /)
})

test('a time that no date has is written as it came', () => {
  expect([formatDate('soon'), formatDateTime(1.79e18), formatExactTime(1.79e18)]).toEqual([
    'soon',
    '1790000000000000000',
    '1790000000000000000',
  ])
})

test('what was written is read again', () => {
  expect(parseDateTime(formatDateTime(moment))).toEqual(new Date(2026, 10, 22, 14, 3))
  expect(parseDateTime('22 November 2026')).toEqual(new Date(2026, 10, 22))
  expect(parseDateTime(' 2026-11-22 14:03 ')).toEqual(new Date(2026, 10, 22, 14, 3))
})

test.each(['', '11/22/2026', '31 Feb 2026', '22 Foo 2026', '22 Nov 2026, 25:00', '2026-13-01', 'yesterday'])(
  'no date is read from %j',
  (text) => {
    expect(parseDateTime(text)).toBeNull()
  },
)
