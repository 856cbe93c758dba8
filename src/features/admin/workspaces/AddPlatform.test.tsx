import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { makeKey, makeSession, makeWorkspace } from '../../../client/session.testing.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const WORKSPACE = makeWorkspace({ name: 'Support', base_url: 'https://platform.example/v1' })
const DISABLED = {
  kind: 'refused',
  message: 'The app is disabled.',
  upstream: { status: 403, body: { code: 'forbidden', message: 'The app is disabled.', status: 403 } },
}
const detection = { name: null, mode: null, latency_ms: 20, problem: null }
const created: unknown[] = []
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.post('*/api/platform-detection', () =>
    HttpResponse.json({
      base_url: WORKSPACE.base_url,
      version: null,
      problem: null,
      keys: [
        { ...detection, kind: 'chat', may_be: ['chat'] },
        { ...detection, kind: null, may_be: [], problem: DISABLED },
        { ...detection, kind: null, may_be: ['chat', 'completion'] },
      ],
    }),
  ),
  http.post('*/api/workspaces/:workspace_id/keys', async ({ request }) => {
    created.push(await request.json())
    return HttpResponse.json(makeKey('chat', 'Chat'), { status: 201 })
  }),
)

test('a key that the platform refuses says why and does not block the others, and each can be removed', async () => {
  const person = userEvent.setup()
  const onClose = vi.fn()
  renderPage(<AddPlatform workspace={WORKSPACE} onClose={onClose} />)
  await person.click(screen.getByRole('textbox', { name: 'Keys' }))
  await person.paste('app-first-key-of-support-a1b2\napp-of-the-disabled-one-c3d4\napp-e5f6')
  await person.click(screen.getByRole('button', { name: 'Detect keys' }))

  const found = within(await screen.findByRole('region', { name: 'Detected' }))
  expect(found.getByText('1 key was rejected and is not added.')).toBeDefined()
  const refusal = found.getByRole('alert')
  expect(refusal.textContent).toContain('key 2 (…c3d4)')
  expect(refusal.textContent).toContain('The app is disabled.')
  expect(refusal.textContent).toContain('403')
  expect(found.getByRole('combobox', { name: 'Kind of key 1 (…a1b2)' })).toBeDefined()
  // The end of a short key would give away much of it.
  expect(found.getByRole('combobox', { name: 'Kind of key 3' })).toBeDefined()

  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add 2 keys' })
  expect(add.disabled).toBe(true)
  await person.click(found.getByRole('button', { name: 'Remove key 3' }))
  const addOne = screen.getByRole<HTMLButtonElement>('button', { name: 'Add 1 key' })
  expect(addOne.disabled).toBe(false)
  expect(found.getByRole('button', { name: 'Remove key 2 (…c3d4)' })).toBeDefined()
  await person.click(addOne)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(created).toEqual([{ kind: 'chat', label: 'Chat', key: 'app-first-key-of-support-a1b2' }])
})

test('another URL discards what was detected, so that no key is saved for it', async () => {
  renderPage(<AddPlatform onClose={() => undefined} />)
  const url = screen.getByRole<HTMLInputElement>('textbox', { name: /URL/ })
  await userEvent.type(url, WORKSPACE.base_url)
  await userEvent.click(screen.getByRole('textbox', { name: 'Keys' }))
  await userEvent.paste('app-first-key-of-support-a1b2')
  await userEvent.click(screen.getByRole('button', { name: 'Detect keys' }))
  await screen.findByRole('region', { name: 'Detected' })
  await userEvent.type(url, '/other')
  expect(screen.queryByRole('region', { name: 'Detected' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Add workspace/ })).toBeNull()
})
