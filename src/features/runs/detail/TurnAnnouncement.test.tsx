import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { TurnAnnouncement } from './TurnAnnouncement.tsx'

test('a question that is not sent is announced in the words of the page', () => {
  const view = (state: Turn['state']) => (
    <MantineProvider>
      <TurnAnnouncement turn={sampleTurn({ state })} />
    </MantineProvider>
  )
  const { rerender } = render(view('streaming'))
  rerender(view('unsent'))
  expect(screen.getByRole('status').textContent).toBe('The answer ended: not sent.')
})
