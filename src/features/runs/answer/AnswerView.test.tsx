import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { QueryClientProvider } from '@tanstack/react-query'
import { newQueryClient } from '../../../client/query.ts'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { AnswerView } from './AnswerView.tsx'

const show = (state: Turn['state']) =>
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <AnswerView turn={sampleTurn({ state })} onCite={vi.fn()} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )

test.each<[Turn['state'], string]>([
  ['stopped', 'stopped here'],
  ['interrupted', 'cut here'],
  ['failed', 'cut here'],
])('an answer that was %s has a mark at its end: %s', async (state, mark) => {
  show(state)
  const end = await screen.findByText(mark)
  expect(end.closest('p')?.textContent).toBe(`This.${mark}`)
})

test('a complete answer has none', async () => {
  show('succeeded')
  const text = await screen.findByText('This.')
  expect(text.closest('p')?.textContent).toBe('This.')
})
