import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { renderPage } from '../../client/page.testing.tsx'
import { ReadBoundary, type ReadBoundaryProps } from './ReadBoundary.tsx'

type Read = ReadBoundaryProps<string[]>['read']

const refetch = vi.fn<Read['refetch']>()
const refused = (status: number) => new ProblemError({ kind: 'denied', message: 'not for you', status })
const renderRead = (read: Partial<Read>) => {
  renderPage(
    <main>
      <ReadBoundary
        read={{ data: undefined, error: null, fetchStatus: 'idle', refetch, ...read }}
        action="list the batches"
        notFound="no such batch"
        empty="no batches"
        isEmpty={(rows) => rows.length === 0}
      >
        {(rows) => rows.join()}
      </ReadBoundary>
    </main>,
  )
  return screen.getByRole('main').textContent
}

test.each<[string, Partial<Read>, RegExp]>([
  ['a reply', { data: ['a', 'b'] }, /^a,b$/],
  ['an empty reply', { data: [] }, /^no batches$/],
  ['a resource that does not exist', { error: refused(404) }, /^no such batch$/],
  ['a read that is not enabled', {}, /^$/],
  ['a reply that is read again', { data: ['a'], fetchStatus: 'fetching' }, /^a$/],
  ['a reply that could not be read again', { data: ['a'], error: refused(404) }, /list the batches.*not for you.*a$/],
])('%s', (_, read, text) => expect(renderRead(read)).toMatch(text))

test('placeholder rows stand for the first reply', () => {
  renderRead({ fetchStatus: 'fetching' })
  expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined()
})

test('a refusal says what was tried and tries again', async () => {
  renderRead({ error: refused(403) })
  expect(screen.getByRole('alert').textContent).toContain('Could not list the batches.')
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(refetch).toHaveBeenCalledOnce()
})
