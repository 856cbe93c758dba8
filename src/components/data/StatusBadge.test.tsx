import { render, screen } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, test } from 'vitest'
import { StatusBadge } from './StatusBadge.tsx'

test('a composed status has the state that is given, an unknown one is shown as it came', () => {
  render(
    <MantineProvider>
      <StatusBadge status="finished, 1 failed" state="failed" />
      <StatusBadge status="completed" />
      <StatusBadge status="ended" />
    </MantineProvider>,
  )
  const states = ['finished, 1 failed', 'completed', 'ended'].map((text) => screen.getByText(text).dataset.state)
  expect(states).toEqual(['failed', 'succeeded', 'foreign'])
})
