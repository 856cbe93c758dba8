import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { makeKey, makeSession, makeWorkspace } from '../../../client/session.testing.ts'
import { KeyTable } from './KeyTable.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const state = { role: 'viewer' as Role }
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(state.role))),
  http.delete('*/api/workspaces/:workspace_id/keys/:key_id', () =>
    HttpResponse.json({ kind: 'conflict', status: 409, message: 'A batch runs with this key.' }, { status: 409 }),
  ),
)

function open(keys: Key[], isAdmin: boolean) {
  renderPage(<KeyTable isAdmin={isAdmin} workspace={makeWorkspace({ keys })} />)
}

test('a key shows its end, says that it is too short for that, or that it must be entered again', () => {
  state.role = 'viewer'
  open(
    [
      { ...makeKey('chat', 'Long'), hint: 'a1b2' },
      { ...makeKey('chat', 'Steps'), mode: 'agent-chat' },
      makeKey('completion', 'Short'),
      { ...makeKey('workflow', 'Locked'), hint: 'c3d4', usable: false },
    ],
    false,
  )
  const row = (label: string) => screen.getByRole('row', { name: new RegExp(`^${label} `) }).textContent
  expect(row('Long')).toContain('…a1b2')
  expect(row('Short')).toContain('stored, too short to show its end')
  expect(row('Locked')).toContain('must be entered again')
  expect(row('Locked')).not.toContain('c3d4')
  expect(row('Steps')).toContain('Chat, Agent (legacy) agent-chat')
})

test('a refusal to delete a key is not shown for another key', async () => {
  state.role = 'admin'
  open([makeKey('chat', 'First'), makeKey('completion', 'Second')], true)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete: First' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: /^Delete/ }))
  await dialog.findByRole('alert')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Delete: Second' }))
  expect(within(await screen.findByRole('dialog')).queryByRole('alert')).toBeNull()
})
