import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useLocation } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import { sampleTurn } from '../turn.testing.ts'
import { useReplayEdits, useUnsentRunEdit } from './useReplayEdits.ts'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { makePageWrapper } from '../../../client/page.testing.tsx'

const PARENT = '22222222-2222-4222-8222-222222222222'
const onRead = vi.fn()
serveApi(
  http.get('*/api/keys/k/parameters', () => {
    onRead()
    return HttpResponse.json({
      user_input_form: [{ 'text-input': { label: 'Tone', variable: 'tone', required: false, default: 'warm' } }],
    })
  }),
)
afterEach(() => void vi.restoreAllMocks())

const file = { type: 'image', transfer_method: 'remote_url', url: 'https://files.example/tea.png' }
const turn = sampleTurn({ state: 'unsent' })
turn.question = { ...turn.question, query: 'Why?', inputs: { tone: 'cold', extra: 1 }, body: { files: [file] } }

function renderEdit(parent: string | null) {
  const remove = vi.spyOn(runStore, 'remove').mockReturnValue(undefined)
  const client = newQueryClient()
  const { result } = renderHook(
    () => ({ edit: useUnsentRunEdit({ turn, app: 'k', workspace: 'w', parent }), location: useLocation() }),
    { wrapper: makePageWrapper({ client, path: '/runs/unsent' }) },
  )
  return { result, remove, client }
}

test('a replay that was not sent is edited in the replay of its parent, as it was typed', async () => {
  const { result, remove, client } = renderEdit(PARENT)
  await waitFor(() => expect(onRead).toHaveBeenCalled())
  await waitFor(() => expect(client.isFetching()).toBe(0))
  act(() => result.current.edit())
  expect(remove).toHaveBeenCalledWith(turn.run_id)
  expect(result.current.location).toMatchObject({
    pathname: `/runs/${PARENT}`,
    search: expect.stringContaining('replay=1'),
  })
  expect(renderHook(() => useReplayEdits(PARENT)).result.current[0]).toEqual({
    query: 'Why?',
    formValues: { tone: 'cold', '+extra': '1' },
    files: [file],
    user: 'mira',
    mode: 'streaming',
    workflow_id: null,
  })
})

test('a run without a parent that was not sent leads to the list of the runs', () => {
  const { result, remove } = renderEdit(null)
  act(() => result.current.edit())
  expect(remove).toHaveBeenCalledWith(turn.run_id)
  expect(result.current.location).toMatchObject({ pathname: '/runs', search: '?workspace=w' })
})
