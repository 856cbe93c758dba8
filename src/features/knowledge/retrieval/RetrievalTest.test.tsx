import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { BrowserRouter } from 'react-router'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { makeSession } from '../../../client/session.testing.ts'
import type { SearchFunction } from './retrievalSearch.ts'
import { RetrievalTest } from './RetrievalTest.tsx'

const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.get('*/api/*', () => HttpResponse.json({ data: [], total: 0, page: 1, limit: 20, has_more: false, next: null })),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())

test('Back shows the search of an app again, and starts no run', async () => {
  history.replaceState(null, '', '/retrieval?q=old')
  const search = vi.fn<SearchFunction>((query) => Promise.resolve({ hits: [toHit(query)], fallback: null }))
  const draw = (scope: string) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <RetrievalTest
            dataset_id="d1"
            search={search}
            missingFields={[]}
            workspace="w1"
            searched={null}
            app={null}
            scope={scope}
          />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  )
  const client = newQueryClient()
  const { rerender } = render(draw('inputs 1'))
  const question = screen.getByRole<HTMLInputElement>('textbox', { name: 'Question' })
  const ask = async (text: string) => {
    fireEvent.change(question, { target: { value: text } })
    fireEvent.click(screen.getByRole('button', { name: 'Find' }))
    await screen.findByText(`Found for ${text}`)
  }
  await ask('first')
  rerender(draw('inputs 2'))
  await ask('second')
  const back = async (text: string) => {
    act(() => history.back())
    await waitFor(() => expect(question.value).toBe(text))
  }
  await back('first')
  await screen.findByText('Found for first')
  await back('old')
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(search.mock.calls.map(([query]) => query)).toEqual(['first', 'second'])
  // Asked for again, it is searched again.
  await ask('first')
  expect(search).toHaveBeenCalledTimes(3)
})

const toHit = (query: string) => ({
  dataset_id: 'd1',
  dataset_name: null,
  document_id: 'document',
  document_name: `Found for ${query}`,
  segment_id: 's1',
  position: 1,
  score: 1,
  search_method: null,
  content: 'The gap stays small.',
  children: [],
  run: null,
})
