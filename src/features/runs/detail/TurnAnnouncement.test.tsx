import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { END_MARKS } from '#domain/workflowRun/endCauses.ts'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { TurnAnnouncement } from './RunStatusBar.tsx'

test.each<[string, Partial<Turn>]>([
  ['The answer ended: not sent.', { state: 'unsent' }],
  ['The answer is complete. This.', { state: 'succeeded' }],
  [
    'The answer ended, and may be cut. This.',
    { state: 'succeeded', endMark: END_MARKS.find(({ cause }) => cause === 'unmeasured') ?? null },
  ],
])('the end of an answer is announced: %s', (words, part) => {
  const view = (shown: Partial<Turn>) => (
    <MantineProvider>
      <TurnAnnouncement turn={sampleTurn(shown)} />
    </MantineProvider>
  )
  const { rerender } = render(view({ state: 'streaming' }))
  rerender(view(part))
  expect(screen.getByRole('status').textContent).toBe(words)
})
