import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { Member } from '#contract/console/people.ts'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeSession } from '../../../client/session.testing.ts'
import { PeoplePage } from './PeoplePage.tsx'

const admin = {
  id: 'admin',
  name: 'admin',
  role: 'admin',
  default_user: 'admin',
  narrowed: false,
  grants: [],
  sessions: 1,
  tokens: 0,
  invited_until: null,
  disabled_at: null,
  seen_at: null,
  created_at: '2026-11-21T12:00:00.000Z',
}
let has_account = false
serveApi(
  http.get('*/api/session', () => HttpResponse.json({ ...makeSession('admin'), has_account })),
  http.get('*/api/people', () =>
    HttpResponse.json(toPage([Member.parse({ ...admin, has_account, has_password: has_account })])),
  ),
)

test.each([[false], [true]])('while nobody has a password the page and the invitation say so: %s', async (given) => {
  has_account = given
  renderPage(<PeoplePage />)
  await screen.findByRole('button', { name: 'Edit admin' })
  expect(screen.queryByText('No one has a password yet') === null).toBe(has_account)
  await userEvent.click(screen.getByRole('button', { name: 'Invite a person' }))
  const invitation = within(await screen.findByRole('dialog', { name: 'Invite a person' }))
  await invitation.findByRole('button', { name: 'Create link' })
  const link = invitation.queryByRole('link', { name: 'choose it now' })
  expect(link?.getAttribute('href')).toBe(has_account ? undefined : '/account')
})
