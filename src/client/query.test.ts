import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { newQueryClient, invalidateTags } from './query.ts'

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
