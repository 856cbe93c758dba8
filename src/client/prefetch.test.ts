import { afterEach, expect, test, vi } from 'vitest'
import { contract } from '#contract/index.ts'
import { call } from './http.ts'
import { prefetch, clearPrefetched } from './prefetch.ts'

const sent = vi.fn(() => Promise.resolve(Response.json({ data: [], total: 0 })))
vi.stubGlobal('fetch', sent)
afterEach(() => {
  clearPrefetched()
  sent.mockClear()
})

const read = () => call(contract.console.listWorkspaces, {})

test('a read that is on its way already is not sent again, and the next one is', async () => {
  prefetch('/api/workspaces')
  expect(await read()).toMatchObject({ data: [] })
  expect(sent).toHaveBeenCalledTimes(1)
  await read()
  expect(sent).toHaveBeenCalledTimes(2)
})

test('what nobody took is of a moment that has passed', async () => {
  prefetch('/api/workspaces')
  clearPrefetched()
  await read()
  expect(sent).toHaveBeenCalledTimes(2)
})

test('an early read on a lost line is the problem of whoever takes it', async () => {
  sent.mockImplementationOnce(() => Promise.reject(new TypeError('Failed to fetch')))
  prefetch('/api/workspaces')
  await expect(read()).rejects.toMatchObject({ problem: { kind: 'unreachable' } })
})
