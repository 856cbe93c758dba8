import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { SearchFunction } from './retrievalSearch.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { RetrievalTest } from './RetrievalTest.tsx'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'

serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.get('*/api/*', () => HttpResponse.json(toPage([]))),
)

test('Back shows the search of an app again, and starts no run', async () => {
  history.replaceState(null, '', '/retrieval?q=old')
  const search = vi.fn<SearchFunction>((query) => Promise.resolve({ hits: [toHit(query)], fallback: null }))
  const draw = (scope: string) => (
    <RetrievalTest
      dataset_id="d1"
      search={search}
      missingFields={[]}
      workspace="w1"
      searched={null}
      app={null}
      scope={scope}
    />
  )
  const { rerender } = renderPage(draw('inputs 1'), { router: 'window' })
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
