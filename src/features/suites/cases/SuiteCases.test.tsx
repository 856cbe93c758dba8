import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import type { Suite } from '#contract/console/suites.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { makeSuite, makeSuiteCase } from '../experiment.testing.ts'
import { SuiteCases } from './SuiteCases.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'

const SHOWN = makeSuiteCase()

let role: Role
let target: Suite['target']
const searched: (string | null)[] = []
const patched: unknown[] = []
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(role))),
  http.get('*/api/suites/:suite_id/cases', ({ request }) => {
    const q = new URL(request.url).searchParams.get('q')
    searched.push(q)
    return HttpResponse.json(toPage(q === 'nothing' ? [] : [SHOWN]))
  }),
  http.get('*/api/suites/:suite_id/cases/:case_id/revisions', () =>
    HttpResponse.json(toPage([SHOWN, { ...SHOWN, revision: 1, person: null, split: null }])),
  ),
  http.patch('*/api/suites/:suite_id/cases/:case_id', async ({ request }) => {
    patched.push(await request.json())
    return HttpResponse.json(SHOWN)
  }),
)
beforeEach(() => {
  patched.length = 0
  target = 'chat'
})

const show = (given: Role) => {
  role = given
  return renderPage(<SuiteCases suite={makeSuite({ target, cases: 1 })} />)
}

test('a viewer reads what a case checks, its tags and split, and what each revision changed', async () => {
  show('viewer')
  fireEvent.click(await screen.findByRole('link', { name: 'Details and history of Return policy' }))
  const drawer = await screen.findByRole('dialog', { name: 'Case' })
  await within(drawer).findByText('contains value: "30 days"')
  expect(within(drawer).getByText('test')).toBeDefined()
  const [newest, first] = within(within(drawer).getByRole('region', { name: 'History' })).getAllByRole('listitem')
  expect(newest?.textContent).toMatch(/^Revision 2, Ann.*Split/)
  expect(first?.textContent).toMatch(/^Revision 1, the console.*First revision\.$/)
  expect(screen.getByText('test, terms')).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Edit case/ })).toBeNull()
})

test('cases are searched, and a search without a hit is no empty suite', async () => {
  show('viewer')
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search cases' }), { target: { value: 'nothing' } })
  expect(await screen.findByText('No case matches.')).toBeDefined()
  expect(searched.at(-1)).toBe('nothing')
})

test('a case of an app whose name is cleared is named by its question, and gets a split', async () => {
  show('operator')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit case Return policy' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit case' })
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Name' }), { target: { value: '' } })
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Split' }), { target: { value: 'train' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(patched).toMatchObject([{ name: 'Returns?', tags: ['terms'], split: 'train' }]))
})

test('a dialog that is closed gives the focus back to the button that opened it', async () => {
  show('operator')
  for (const [name, close] of [
    ['Edit case Return policy', 'Cancel'],
    ['Delete case Return policy', 'Keep the case'],
  ] as const) {
    const button = await screen.findByRole('button', { name })
    button.focus()
    fireEvent.click(button)
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: close }))
    await waitFor(() => expect(document.activeElement).toBe(button))
  }
})
