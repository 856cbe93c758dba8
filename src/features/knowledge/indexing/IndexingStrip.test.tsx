import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { IndexingStrip } from './IndexingStrip.tsx'
import type { WatchedDocument } from './indexingWatch.ts'
import { renderPage } from '../../../client/page.testing.tsx'

const toWatched = (name: string, status: string, ageMs: number, error: string | null = null): WatchedDocument => ({
  id: name,
  name,
  status,
  error,
  observedStatuses: [
    { status: 'waiting', at: Date.now() - ageMs - 1000 },
    { status, at: Date.now() - ageMs },
  ],
  observedAt: Date.now(),
})

const show = (documents: WatchedDocument[]) =>
  renderPage(<IndexingStrip indexing={{ watch: { documents, observedAt: Date.now() }, usualDurationMs: null }} />)
const listShown = () =>
  screen.getAllByRole('button', { name: /^Hide the steps of/ }).map((button) => button.getAttribute('aria-label'))

test('the newest is first after what failed, and completed documents fold into a count', async () => {
  const old = Array.from({ length: 7 }, (_, index) => toWatched(`done ${index}`, 'completed', 10_000))
  show([
    ...old,
    toWatched('failed', 'error', 10_000, 'No words.'),
    toWatched('first', 'indexing', 100),
    toWatched('just done', 'completed', 100),
    toWatched('added a moment ago', 'waiting', 100),
  ])
  expect(listShown()).toEqual(
    ['failed', 'added a moment ago', 'just done', 'first'].map((name) => `Hide the steps of ${name}`),
  )
  expect(screen.getByText('7 completed')).toBeTruthy()
  // The step of a completed document takes no time.
  expect(screen.queryByText('0.0 s')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Hide all' }))
  expect(screen.queryByRole('region', { name: 'Indexing progress' })).toBeNull()
})
