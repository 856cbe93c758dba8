import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeKey, makeSession, makeWorkspace } from '../../../client/session.testing.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { EditWorkspace } from './WorkspaceForms.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const workspace = makeWorkspace({ keys: [makeKey('chat', 'Assistant'), makeKey('knowledge', 'Notes')] })
const state = { sent: [] as unknown[] }
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [workspace], total: 1 })),
  http.patch(`*/api/workspaces/${workspace.id}`, async ({ request }) => {
    state.sent.push(await request.json())
    return HttpResponse.json(workspace)
  }),
)
beforeEach(() => {
  state.sent = []
})

const open = (form: ReactNode) => renderPage(form)
const rewrite = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('a workspace gets another name and keeps its URL and keys', async () => {
  const close = vi.fn()
  open(<EditWorkspace workspace={workspace} onClose={close} />)
  rewrite('Name', 'Kiln, new')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(close).toHaveBeenCalled())
  expect(state.sent).toEqual([{ name: 'Kiln, new' }])
})

test('before a workspace moves to another host, the loss of its keys is said', async () => {
  open(<EditWorkspace workspace={workspace} onClose={() => undefined} />)
  rewrite('Base URL', 'https://kiln.example/other')
  expect(screen.queryByRole('status')).toBeNull()
  rewrite('Base URL', 'https://other.example/v1')
  expect(screen.getByRole('status').textContent).toMatch(/2 keys/)
  await userEvent.click(screen.getByRole('button', { name: 'Save and remove 2 keys' }))
  await vi.waitFor(() => expect(state.sent).toEqual([{ name: 'Kiln', base_url: 'https://other.example/v1' }]))
})

test('a platform that the console has already is named, whatever the slash at its end', async () => {
  open(<AddPlatform onClose={() => undefined} />)
  rewrite('Base URL', 'https://kiln.example/v2')
  expect(screen.queryByRole('status')).toBeNull()
  rewrite('Base URL', 'https://kiln.example/v1/')
  expect((await screen.findByRole('status')).textContent).toBe(
    'This platform is already in the console as Kiln. Add its keys there.',
  )
})
