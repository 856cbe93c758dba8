import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Workspace } from '#contract/console/workspaces.ts'
import { newQueryClient } from '../../../client/query.ts'
import { makeKey, makeSession } from '../../../client/session.testing.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { EditWorkspace } from './EditWorkspace.tsx'

const workspace = Workspace.parse({
  id: '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e',
  name: 'Kiln',
  base_url: 'https://kiln.example/v1',
  builtin: false,
  created_at: '2026-11-21T12:00:00.000Z',
  keys: [makeKey('chat', 'Assistant'), makeKey('knowledge', 'Notes')],
})
const state = { sent: [] as unknown[] }
const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [workspace], total: 1 })),
  http.patch(`*/api/workspaces/${workspace.id}`, async ({ request }) => {
    state.sent.push(await request.json())
    return HttpResponse.json(workspace)
  }),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => {
  state.sent = []
})
afterAll(() => server.close())

const open = (form: ReactNode) =>
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>{form}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
const rewrite = async (label: string, text: string) => {
  const field = screen.getByRole('textbox', { name: label })
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

test('a workspace gets another name and keeps its URL and keys', async () => {
  const close = vi.fn()
  open(<EditWorkspace workspace={workspace} onClose={close} />)
  await rewrite('Name', 'Kiln, new')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(close).toHaveBeenCalled())
  expect(state.sent).toEqual([{ name: 'Kiln, new' }])
})

test('before a workspace moves to another host, the loss of its keys is said', async () => {
  open(<EditWorkspace workspace={workspace} onClose={() => undefined} />)
  await rewrite('Base URL', 'https://kiln.example/other')
  expect(screen.queryByRole('status')).toBeNull()
  await rewrite('Base URL', 'https://other.example/v1')
  expect(screen.getByRole('status').textContent).toMatch(/2 keys/)
  await userEvent.click(screen.getByRole('button', { name: 'Save and drop 2 keys' }))
  await vi.waitFor(() => expect(state.sent).toEqual([{ name: 'Kiln', base_url: 'https://other.example/v1' }]))
})

test('a platform that the console has already is named, whatever the slash at its end', async () => {
  open(<AddPlatform onClose={() => undefined} />)
  await rewrite('Base URL', 'https://kiln.example/v2')
  expect(screen.queryByRole('status')).toBeNull()
  await rewrite('Base URL', 'https://kiln.example/v1/')
  expect((await screen.findByRole('status')).textContent).toBe(
    'This platform is in the console already, as Kiln. Its keys can be added there.',
  )
})
