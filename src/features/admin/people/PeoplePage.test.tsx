import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { Member } from '#contract/console/people.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { PeoplePage } from './PeoplePage.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const makeMember = (name: string, has_account: boolean) =>
  Member.parse({
    id: name,
    name,
    role: 'admin',
    default_user: name,
    has_account,
    has_password: has_account,
    narrowed: false,
    grants: [],
    sessions: 1,
    tokens: 0,
    invited_until: null,
    disabled_at: null,
    seen_at: null,
    created_at: '2026-11-21T12:00:00.000Z',
  })
const state = { people: [] as Member[], has_account: true }
serveApi(
  http.get('*/api/session', () => HttpResponse.json({ ...makeSession('admin'), has_account: state.has_account })),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [], total: 0 })),
  http.get('*/api/people', () => HttpResponse.json({ data: state.people, total: state.people.length })),
)
beforeEach(() => Object.assign(state, { people: [], has_account: true }))

async function openInvitation() {
  renderPage(<PeoplePage />)
  await screen.findByRole('button', { name: 'Edit admin' })
  await userEvent.click(screen.getByRole('button', { name: 'Invite a person' }))
  return within(await screen.findByRole('dialog', { name: 'Invite a person' }))
}

test('while nobody has a password the page says so, and the invitation asks to choose one first', async () => {
  Object.assign(state, { people: [makeMember('admin', false)], has_account: false })
  const invitation = await openInvitation()
  expect(screen.getByText('No one has a password yet')).toBeDefined()
  const link = await invitation.findByRole<HTMLAnchorElement>('link', { name: 'choose it first' })
  expect(link.getAttribute('href')).toBe('/account')
})
