import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeRun } from '../../../client/runRow.testing.ts'
import type { CallListRow } from './callListRow.ts'
import { CallTable, useCallColumns } from './CallTable.tsx'
import { useCallSelection } from './SelectionBar.tsx'
import { renderPage } from '../../../client/page.testing.tsx'

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

const show = (table: React.ReactNode) => renderPage(table)

const named = ['Lamp', 'Pump', 'Valve'].map((title, index) => makeRun({ id: `0000000${index}`, title }))

test('a head sorts, and says by which column the list is sorted', async () => {
  show(<RunTable rows={named} />)
  expect(screen.getByRole('columnheader', { name: /Duration/ }).getAttribute('aria-sort')).toBe('descending')
  await userEvent.click(within(screen.getByRole('columnheader', { name: /Tokens/ })).getByRole('button'))
  expect(onSort.mock.calls).toEqual([['tokens']])
})

test('a stopped run says who stopped it, or why the platform did', () => {
  const stop = { person: 'mira', at: '', after_frame: 1, had_effect: true, reason: null }
  const error_message = 'Aborted: Maximum execution steps exceeded: 501 > 500'
  show(
    <RunTable
      rows={[
        makeRun({ id: '00000001', status: 'stopped', stop, error_message }),
        makeRun({ id: '00000002', status: 'stopped', stop: null, error_message }),
      ]}
    />,
  )
  expect(screen.getAllByTitle('Stopped by mira').length).toBeGreaterThan(0)
  expect(screen.getAllByTitle(error_message).length).toBeGreaterThan(0)
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
