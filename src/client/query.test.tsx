import { QueryObserver } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { batchEndpoints } from '#contract/console/batches.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { serveApi, toPage } from './consoleApi.testing.ts'
import { makePageWrapper } from './page.testing.tsx'
import { newQueryClient, invalidateTags, useRead } from './query.ts'

const [BATCH, OTHER] = ['b2a6c1d0-0000-4000-8000-000000000001', 'b2a6c1d0-0000-4000-8000-000000000002']

let requests = 0
serveApi(
  http.get('*/api/batches/*', () => (requests++ === 0 ? HttpResponse.json(toPage([], 7)) : delay('infinite'))),
  http.get('*/api/resources', () => (requests++ === 0 ? HttpResponse.json(toPage([], 7)) : delay('infinite'))),
)

/** A read of conversations that is shown; each of its requests is answered by hand. */
function shown() {
  const client = newQueryClient()
  const requests: ((words: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['/api/resources'],
    queryFn: () => new Promise<string>((resolve) => requests.push(resolve)),
    meta: { shows: ['conversations'] },
  })
  const leave = observer.subscribe(() => undefined)
  return { client, requests, said: () => observer.getCurrentResult().data, leave }
}

test('what was asked before a write came about is not what stands after it, though nothing stood there yet', async () => {
  const { client, requests, said, leave } = shown()
  const refreshed = invalidateTags(client, ['conversations'])
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  requests[1]?.('after')
  requests[0]?.('before')
  await refreshed
  expect(said()).toBe('after')
  leave()
})

test('a write has nothing read again that does not show what it touches', async () => {
  const { client, requests, said, leave } = shown()
  await invalidateTags(client, ['datasets'])
  requests[0]?.('before')
  await vi.waitFor(() => expect(said()).toBe('before'))
  expect(requests).toHaveLength(1)
  leave()
})

test('what lies at or below a deleted resource is not read again', async () => {
  const { client, requests, said, leave } = shown()
  requests[0]?.('before')
  await vi.waitFor(() => expect(said()).toBe('before'))
  await invalidateTags(client, ['conversations'], '/api/resources')
  expect(requests).toHaveLength(1)
  const other = invalidateTags(client, ['conversations'], '/api/res')
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  requests[1]?.('after')
  await other
  leave()
})

const rowsOf = (batch_id: string, page: number) => () =>
  useRead(batchEndpoints.listBatchRows, { params: { batch_id }, query: { page, limit: 50 } }).data?.total
const resourcesOf = (query: { q?: string; workspace?: string; id?: string }) => () =>
  useRead(resourceEndpoints.listResources, { query }).data?.total

test.each([
  ['another page of a list', rowsOf(BATCH, 1), rowsOf(BATCH, 2), 7],
  ['the rows of another resource', rowsOf(BATCH, 1), rowsOf(OTHER, 1), undefined],
  ['the same list with other words', resourcesOf({ q: 'a' }), resourcesOf({ q: 'b' }), 7],
  ['the list of another workspace', resourcesOf({ workspace: BATCH }), resourcesOf({ workspace: OTHER }), undefined],
  ['another id', resourcesOf({ id: BATCH }), resourcesOf({ id: OTHER }), undefined],
])('while %s is read, the old reply stays only if it is about the same', async (_, useFirst, useNext, total) => {
  requests = 0
  const { result, rerender } = renderHook((useTotal) => useTotal(), {
    wrapper: makePageWrapper(),
    initialProps: useFirst,
  })
  await waitFor(() => expect(result.current).toBe(7))
  rerender(useNext)
  expect(result.current).toBe(total)
})
