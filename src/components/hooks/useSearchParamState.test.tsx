import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { useSearchParamState } from './useSearchParamState.ts'

const Wrapper = ({ children }: { children: ReactNode }) => <BrowserRouter>{children}</BrowserRouter>

test('two changes before the next render are both in the URL', async () => {
  history.replaceState(null, '', '/drift?workspace=1&page=3')
  const { result } = renderHook(useSearchParamState, { wrapper: Wrapper })
  await act(async () => {
    const rendered = result.current
    rendered.set({ view: 'never', kind: null })
    rendered.set({ operation: 'datasets.create' })
  })
  expect(window.location.search).toBe('?workspace=1&view=never&operation=datasets.create')
  expect(result.current.get('view')).toBe('never')
  expect(result.current.get('operation')).toBe('datasets.create')
})

test('the page is kept only where it is named, and an empty value removes a parameter', async () => {
  history.replaceState(null, '', '/datasets?page=3&keyword=fire&tag=t')
  const { result } = renderHook(useSearchParamState, { wrapper: Wrapper })
  await act(async () => result.current.set({ tag: null, page: '3' }))
  expect(window.location.search).toBe('?page=3&keyword=fire')
  await act(async () => result.current.set({ keyword: '' }))
  expect(window.location.search).toBe('')
})

test.each<[path: string, set: Record<string, string | null>, search: string]>([
  ['/ledger?before=c2&call=1', { tab: 'frames', node: 'n1' }, '?before=c2&call=1&tab=frames&node=n1'],
  ['/ledger?before=c2&call=1&tab=frames', { call: null, tab: null }, '?before=c2'],
  ['/suites/1?page=2', { case: 'c1' }, '?page=2&case=c1'],
  ['/drift?page=2&drift=d1', { drift: null }, '?page=2'],
  ['/datasets/1?page=2', { update: 'd1', by: 'file' }, '?page=2&update=d1&by=file'],
  ['/datasets/1?page=2&add=file&setting=s', { add: null, setting: null }, '?page=2'],
  ['/ledger?before=c2', { status: 'failed', call: null }, '?status=failed'],
])(
  'what is opened and closed beside a list leaves its page, a filter does not: %s and %j',
  async (path, set, search) => {
    history.replaceState(null, '', path)
    const { result } = renderHook(useSearchParamState, { wrapper: Wrapper })
    await act(async () => result.current.set(set))
    expect(window.location.search).toBe(search)
  },
)

test('a change that comes after the page was left does not lead back to it', async () => {
  history.replaceState(null, '', '/datasets?segment=1')
  const { result, unmount } = renderHook(useSearchParamState, { wrapper: Wrapper })
  const { set } = result.current
  unmount()
  history.replaceState(null, '', '/chat')
  await act(async () => set({ segment: null, child: '2' }))
  expect(window.location.pathname + window.location.search).toBe('/chat')
})
