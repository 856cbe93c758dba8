import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { makeRun } from '../../../client/runRow.testing.ts'
import { RecentRuns } from '../../home/RecentRuns.tsx'
import { RunsTable } from './RunsTable.tsx'

const stop = { person: 'Ada', at: '2026-11-22T10:00:00.000Z', after_frame: 3, had_effect: true, reason: null }
const rows = [
  makeRun({ id: 'a', status: 'stopped', stop }),
  makeRun({ id: 'b', status: 'stopped', stop: { ...stop, person: null } }),
  makeRun({ id: 'c', status: 'stopped', stop: { ...stop, had_effect: false, reason: 'other_user' } }),
  makeRun({ id: 'd', status: 'stopped', stop: null }),
]

test.each([
  ['list of runs', <RunsTable key="list" rows={rows} keys={[]} />],
  ['recent runs', <RecentRuns key="recent" runs={rows} keys={[]} />],
])('the %s names who stopped a run at its status, where that is known', (_, table) => {
  render(
    <MantineProvider>
      <MemoryRouter>{table}</MemoryRouter>
    </MantineProvider>,
  )
  expect(screen.getAllByText('stopped').map((badge) => badge.getAttribute('title'))).toEqual([
    'Stopped by Ada',
    null,
    null,
    null,
  ])
})
