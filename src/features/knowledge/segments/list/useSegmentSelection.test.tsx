import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { SegmentSource } from './useSegmentPage.ts'
import { useSegmentSelection } from './useSegmentSelection.ts'
import { serveApi } from '../../../../client/consoleApi.testing.ts'

const SOURCE: SegmentSource = {
  dataset_id: '96f9465c-523c-4a73-aee3-31c317abd40d',
  document_id: '80b2f014-4c68-47c0-a2d4-8c0e189c101e',
  workspace: undefined,
  keyId: '1d10d2e4-8669-4dfa-88c8-c11f02d6cd63',
  canListSegments: true,
  keyword: undefined,
  status: undefined,
}
const SEGMENTS = '*/segments'
const ids = ['s1', 's2', 's3']
const server = serveApi(
  http.get(SEGMENTS, () => HttpResponse.json({ data: ids.map((id) => ({ id })), total: ids.length, has_more: false })),
)

const open = () => renderHook(useSegmentSelection, { initialProps: SOURCE })

test('another filter deselects all, and a range begins anew', async () => {
  const { result, rerender } = open()
  act(() => result.current.selectAll(3))
  await waitFor(() => expect([...result.current.ids]).toEqual(ids))
  act(() => result.current.toggle('s3', 2))
  rerender({ ...SOURCE, keyword: 'lamp' })
  expect([...result.current.ids]).toEqual([])
  act(() => result.current.toggle('s1', 0, true))
  expect([...result.current.ids]).toEqual(['s1'])
})

test('a range that comes after the filter was changed selects nothing', async () => {
  const { result, rerender } = open()
  let isAnswered = false
  server.events.on('response:mocked', () => (isAnswered = true))
  act(() => result.current.selectAll(3))
  rerender({ ...SOURCE, status: 'error' })
  await waitFor(() => expect(isAnswered).toBe(true))
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect([...result.current.ids]).toEqual([])
})

test('a range that is refused selects nothing and says why, until something is selected', async () => {
  const problem = { kind: 'refused', message: 'Not now.', upstream: { status: 400, body: {} } }
  server.use(http.get(SEGMENTS, () => HttpResponse.json(problem, { status: 424 })))
  const { result } = open()
  act(() => result.current.selectAll(3))
  await waitFor(() => expect(result.current.problem?.message).toBe('Not now.'))
  expect([...result.current.ids]).toEqual([])
  act(() => result.current.toggle('s1', 0))
  expect(result.current.problem).toBeNull()
})
