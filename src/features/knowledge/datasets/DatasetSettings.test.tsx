import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import { makeKey, makeSession } from '../../../client/session.testing.ts'
import { DatasetSettings } from './DatasetSettings.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'

const state = { role: 'viewer' as Role, isAnswered: Promise.resolve() }
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(state.role))),
  http.patch('*/datasets/:dataset_id', async ({ request }) => {
    const body = (await request.json()) as object
    await state.isAnswered
    return HttpResponse.json({ ...record, ...body })
  }),
  http.get('*/api/resources', () => HttpResponse.json(toPage([]))),
)
beforeEach(() => sessionStorage.clear())

const record = {
  id: '96f9465c-523c-4a73-aee3-31c317abd40d',
  name: 'Pilot notes',
  indexing_technique: 'economy',
  permission: 'only_me',
} as NonNullable<Parameters<typeof DatasetSettings>[0]['record']>

/** The form's fields and buttons. @returns those that can be used, after the role is known */
async function openSettings(role: Role, shown = record, typedName = shown.name): Promise<HTMLElement[]> {
  state.role = role
  const element = (
    <DatasetSettings dataset_id={record.id} record={shown} workspace="w" knowledge={makeKey('knowledge', 'Notes')} />
  )
  renderPage(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />, { router: 'none' })
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /^name/i })
  expect(name.value).toBe(typedName)
  if (role === 'viewer') await screen.findByText(/You have read-only access/)
  else await screen.findByRole('button', { name: 'Save settings' })
  return [...document.querySelectorAll<HTMLElement>('form :is(input, select, textarea, button)')].filter(
    (control) => !control.matches(':disabled'),
  )
}

test('a viewer reads the settings of a dataset and can change none of them', async () => {
  expect(await openSettings('viewer')).toEqual([])
})

test('an operator can change them', async () => {
  expect((await openSettings('operator')).length).toBeGreaterThan(3)
})

test('a draft has only what was changed: what another person changes meanwhile stays', async () => {
  await openSettings('operator')
  await userEvent.type(screen.getByRole('textbox', { name: /^description/i }), 'Half typed')
  cleanup()
  await openSettings('operator', { ...record, name: 'Renamed by another person' })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^description/i }).value).toBe('Half typed')
})

test('a draft that was discarded does not come back with a save', async () => {
  sessionStorage.setItem(`loupe.draft.dataset.${record.id}`, JSON.stringify({ name: 'Draft of a name' }))
  await openSettings('operator', record, 'Draft of a name')
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  await userEvent.type(screen.getByRole('textbox', { name: /^description/i }), 'New')
  await userEvent.click(screen.getByRole('button', { name: 'Save settings' }))
  await screen.findByRole('status')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^name/i }).value).toBe('Pilot notes')
})

test('nothing can be typed while the settings are being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.isAnswered = promise
  await openSettings('operator')
  const description = screen.getByRole('textbox', { name: /^description/i })
  await userEvent.type(description, 'New')
  await userEvent.click(screen.getByRole('button', { name: 'Save settings' }))
  await waitFor(() => expect(description.matches(':disabled')).toBe(true))
  resolve()
  await screen.findByRole('status')
  expect(description.matches(':disabled')).toBe(false)
})
