import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { RunAggregate, RunStats } from '#contract/console/stats.ts'
import { BarChartCard } from './BarChartCard.tsx'

const DAYS = ['2026-11-20', '2026-11-21']
const total: RunAggregate = {
  runs: 2,
  failed: 0,
  unclear: 0,
  tokens: 10,
  without_usage: 0,
  p50: null,
  p95: null,
  first_token_p50: null,
  first_token_p95: null,
}
const toPrice = (day: string, price: string) => ({ day, workspace: 'w', key: 'a', currency: 'USD', total: price })
const stats: RunStats = {
  days: DAYS,
  total,
  by_day: [],
  by_app: DAYS.map((day) => ({ ...total, day, workspace: 'w', key: 'a' })),
  prices: [toPrice('2026-11-20', '0.00003'), toPrice('2026-11-21', '12.34')],
  price_totals: [{ currency: 'USD', total: '12.34003' }],
}

test('a price of a day is shown to its cents, a smaller one to its first digits', async () => {
  render(
    <MantineProvider env="test">
      <BarChartCard stats={stats} keys={[]} days={14} />
    </MantineProvider>,
  )
  await userEvent.selectOptions(screen.getByRole('combobox'), 'price')
  await userEvent.click(screen.getByRole('button', { name: /table/i }))
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(cells).toContain('$0.00003')
  expect(cells).toContain('$12.34')
})
