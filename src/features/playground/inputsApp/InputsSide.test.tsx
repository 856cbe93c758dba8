import { act, renderHook, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { makePageWrapper, renderPage } from '../../../client/page.testing.tsx'
import { makeRun } from '../../../client/runRow.testing.ts'
import { makeKey, makeWorkspace } from '../../../client/session.testing.ts'
import { InputsSide } from './InputsSide.tsx'
import { type InputsPlaygroundState, useInputsPlayground } from './useInputsPlayground.ts'

const app = makeKey('completion', 'Writer')
const workspace = makeWorkspace()
const shown = makeRun({ entry: 'completion.send' })
const other = makeRun({ id: '22222222-2222-4222-8222-222222222222', entry: 'completion.send', title: 'Tea' })
serveApi(
  http.get('*/api/keys/:key/parameters', () => HttpResponse.json({})),
  http.get('*/api/runs/:id', () => HttpResponse.json(shown)),
  http.get('*/api/runs', () => HttpResponse.json(toPage([other]))),
)
beforeEach(() => window.history.replaceState(null, '', `/?run=${shown.id}&source=2&node=n&frame=41`))

test('a run of the history is opened without what was selected in the one before it', async () => {
  const playground = { session: {}, run_id: shown.id, canRun: false, showsHistory: true } as InputsPlaygroundState
  renderPage(
    <InputsSide entry="completion.send" workspace={workspace} app={app} getPath={() => '/'} playground={playground} />,
    { router: 'window' },
  )
  expect((await screen.findByRole('link', { name: 'Tea' })).getAttribute('href')).toBe(`/?run=${other.id}`)
})

test('a run that was not sent leaves the URL with what was selected in it', () => {
  const wrapper = makePageWrapper({ router: 'window' })
  const { result } = renderHook(() => useInputsPlayground('completion.send', workspace, app), { wrapper })
  act(() => result.current.editUnsent(shown.id))
  expect(window.location.search).not.toMatch(/run=|frame=/)
})
