import { QueryObserver } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { batchEndpoints } from '#contract/console/batches.ts'
import { serveApi, toPage } from './consoleApi.testing.ts'
import { makePageWrapper } from './page.testing.tsx'
import { newQueryClient, invalidateTags, useRead } from './query.ts'

const BATCH = 'b2a6c1d0-0000-4000-8000-000000000001'

serveApi(
  http.get(`*/api/batches/${BATCH}/rows`, async ({ request }) => {
    if (new URL(request.url).searchParams.get('page') !== '1') await delay('infinite')
    return HttpResponse.json(toPage([], 7))
  }),
  http.get('*/api/batches/:batch_id/rows', () => delay('infinite')),
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

test.each([
  ['another page of a list', 2, BATCH, 7],
  ['another resource', 1, 'b2a6c1d0-0000-4000-8000-000000000002', undefined],
])('while %s is read, the old reply stays only if it is of the same path', async (_, page, batch_id, total) => {
  const first = { page: 1, batch_id: BATCH }
  const { result, rerender } = renderHook(
    (shown: typeof first) =>
      useRead(batchEndpoints.listBatchRows, {
        params: { batch_id: shown.batch_id },
        query: { page: shown.page, limit: 50 },
      }),
    { wrapper: makePageWrapper(), initialProps: first },
  )
  await waitFor(() => expect(result.current.data?.total).toBe(7))
  rerender({ page, batch_id })
  expect(result.current.data?.total).toBe(total)
})
