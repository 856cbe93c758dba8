import { MantineProvider } from '@mantine/core'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { makeRun } from '../../../client/runRow.testing.ts'
import { RecentRuns } from '../../home/RecentRuns.tsx'
import type { CallListRow } from './callListRow.ts'
import { CallTable, useCallColumns } from './CallTable.tsx'
import { useCallSelection } from './useCallSelection.ts'

const onSort = vi.fn()

function RunTable({ rows, words }: { rows: readonly CallListRow[]; words?: string }) {
  const columns = useCallColumns({
    keys: [],
    linkTo: ({ id }) => `/runs/${id}`,
    words,
    order: { sort: 'duration', order: 'desc' },
    onSort,
  })
  const selection = useCallSelection(rows[0]?.workspace)
  return (
    <>
      <output>{selection.rows.map(({ id }) => id).join(' ')}</output>
      <CallTable label="Runs" columns={columns} rows={rows} selection={selection} />
    </>
  )
}

const show = (table: React.ReactNode) =>
  render(
    <MantineProvider>
      <MemoryRouter>{table}</MemoryRouter>
    </MantineProvider>,
  )

const stop = { person: 'Ada', at: '2026-11-22T10:00:00.000Z', after_frame: 3, had_effect: true, reason: null }
const stoppedRuns = [
  makeRun({ id: 'a', status: 'stopped', stop }),
  makeRun({ id: 'b', status: 'stopped', stop: { ...stop, person: null } }),
  makeRun({ id: 'c', status: 'stopped', stop: { ...stop, had_effect: false, reason: 'other_user' } }),
  makeRun({ id: 'd', status: 'stopped', stop: null }),
]

test.each([
  ['list of runs', <RunTable key="list" rows={stoppedRuns} />],
  ['recent runs', <RecentRuns key="recent" runs={stoppedRuns} keys={[]} />],
])('the %s names who stopped a run at its status, where that is known', (name, table) => {
  show(table)
  const titles = screen
    .getAllByText('stopped')
    .map((badge) => badge.closest('[data-state]')?.getAttribute('title') ?? null)
    // In the list the icon, the column and the second line each have a badge.
    .filter((_, index) => name === 'recent runs' || index % 3 === 0)
  expect(titles).toEqual(['Stopped by Ada', null, null, null])
})

const named = ['Lamp', 'Pump', 'Valve'].map((title, index) => makeRun({ id: `0000000${index}`, title }))

test('j and k move between the runs, x selects one and Shift x all up to another', async () => {
  const person = userEvent.setup()
  show(<RunTable rows={named} />)
  await person.keyboard('j')
  expect(document.activeElement?.textContent).toBe('Lamp')
  await person.keyboard('xjj{Shift>}X{/Shift}')
  expect(screen.getAllByRole('status', { hidden: true })[0]?.textContent).toBe('00000000 00000001 00000002')
  await person.click(screen.getByRole('checkbox', { name: 'Select Pump' }))
  expect(screen.getAllByRole('status', { hidden: true })[0]?.textContent).toBe('00000000 00000002')
  await person.keyboard('k')
  expect(document.activeElement?.textContent).toBe('Lamp')
})

test('a head sorts, and says by which column the list is sorted', async () => {
  show(<RunTable rows={named} />)
  expect(screen.getByRole('columnheader', { name: /Duration/ }).getAttribute('aria-sort')).toBe('descending')
  await userEvent.click(within(screen.getByRole('columnheader', { name: /Tokens/ })).getByRole('button'))
  expect(onSort.mock.calls).toEqual([['tokens']])
})

test('the words of a search are marked where they were found, but not where the name says them', () => {
  const excerpt = '…hung the Obsidian  lamp over it…'
  show(
    <RunTable
      words="obsidian"
      rows={[
        makeRun({ id: 'a', title: 'What hangs there?', excerpt }),
        makeRun({ id: 'b', title: 'Obsidian?', excerpt }),
      ]}
    />,
  )
  expect(screen.getAllByText('Obsidian', { selector: 'mark' })).toHaveLength(1)
})

test('a run shows where it was started, its tags and its note', () => {
  const origin = { kind: 'batch', id: 'b1', name: 'rows.csv' } as const
  show(<RunTable rows={[makeRun({ origin, tags: ['to review'], run_note: 'Why so slow?' })]} />)
  expect(screen.getByRole('link', { name: 'batch rows.csv' }).getAttribute('href')).toMatch(/^\/batches\/b1/)
  expect(screen.getByText('to review')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Why so slow?' })).toBeTruthy()
})

test('a rated run shows its rating, and on hover who gave it', () => {
  const rating = { rating: 'dislike', person: 'Ada', at: '2026-11-22T10:00:00.000Z' } as const
  show(<RunTable rows={[makeRun({ id: 'a', rating }), makeRun({ id: 'b', rating: null })]} />)
  expect(screen.getByText('Dislike').title).toMatch(/^Rated by Ada, 22 Nov 2026/)
  expect(screen.queryByText('Like')).toBeNull()
})
