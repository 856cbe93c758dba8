import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderPage } from '../../client/page.testing.tsx'
import { ResourceListPage, type ResourceListPageProps } from './ResourceListPage.tsx'

const refetch = vi.fn<() => unknown>()
beforeEach(() => history.replaceState(null, '', '/suites'))

const renderList = (props: Partial<ResourceListPageProps<string>>) =>
  renderPage(
    <ResourceListPage<string>
      title="Suites"
      read={{ data: undefined, error: null, fetchStatus: 'idle', refetch, dataUpdatedAt: 1 }}
      action="list the suites"
      actions={<button>New suite</button>}
      search={{ label: 'Search suites', param: 'q' }}
      refreshedText={() => 'just now'}
      columns={[{ header: 'Name', cell: (row) => row }]}
      getKey={(row) => row}
      empty="No suites yet"
      noMatch="No suite matches"
      {...props}
      rows={props.rows}
    />,
    { router: 'window' },
  )

test('the toolbar and the pager change the address, and Refresh reads again', async () => {
  renderList({ rows: ['a', 'b'], page: { page: 1, limit: 2, total: 3 } })
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(location.search).toBe('?page=2')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search suites' }), 'lamp')
  await waitFor(() => expect(location.search).toBe('?q=lamp'))
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(refetch).toHaveBeenCalledOnce()
})

test('a list without anything has its first step alone', () => {
  renderList({ rows: [] })
  expect(screen.getByText('No suites yet')).toBeDefined()
  expect(screen.queryByRole('searchbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'New suite' })).toBeNull()
})

test('a filter that leaves nothing stays where it can be changed', () => {
  renderList({ rows: [], isFiltered: true })
  expect(screen.getByText('No suite matches')).toBeDefined()
  expect(screen.getByRole('searchbox')).toBeDefined()
})

test('the rows are in a table that is named as the page is', () => {
  renderList({ rows: ['a'] })
  expect(within(screen.getByRole('table', { name: 'Suites' })).getByRole('cell').textContent).toBe('a')
})

test('a page that is gone leads back to the first', async () => {
  history.replaceState(null, '', '/suites?page=9')
  renderList({ rows: [], page: { page: 9, limit: 2, total: 3 } })
  expect(screen.getByText('Nothing on this page')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Show the first page' }))
  expect(location.search).toBe('')
})
