import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { formatRelativeTime, RelativeTime } from './RelativeTime.tsx'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S

test.each([
  [-5, 'now'],
  [10, '10s ago'],
  [MINUTE_S - 1, '59s ago'],
  [HOUR_S - 1, '59m ago'],
  [DAY_S - 1, '23h ago'],
  [DAY_S, 'yesterday'],
  [7 * DAY_S - 1, '6d ago'],
  [-MINUTE_S, 'in 1m'],
  [-3 * DAY_S, 'in 3d'],
])('%d seconds ago is "%s"', (seconds, text) => {
  expect(formatRelativeTime(new Date(NOW - seconds * 1000), NOW)).toBe(text)
})

test('Unix seconds and ISO 8601 are the same time; what is absent is named so', () => {
  render(
    <>
      <RelativeTime at={1_700_000_000} />
      <RelativeTime at="2023-11-14T22:13:20.000Z" />
      <RelativeTime at={null} />
    </>,
  )
  const times = screen.getAllByRole('time').map((one) => [one.getAttribute('datetime'), one.textContent])
  expect(times).toHaveLength(2)
  expect(times[0]).toEqual(times[1])
  expect(times[0]?.[0]).toBe('2023-11-14T22:13:20.000Z')
})

test('a time that no date has is shown as it came', () => {
  render(<RelativeTime at={1.79e15} />)
  expect(screen.getByText('1790000000000000')).toBeDefined()
})
