import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { makeKey, makeSession } from '../../../../client/session.testing.ts'
import { getLatestRuns } from '../useConversation.ts'
import { ConversationList } from './ConversationList.tsx'
import { renderPage } from '../../../../client/page.testing.tsx'
import { serveApi, toPage } from '../../../../client/consoleApi.testing.ts'

const at = '2026-11-21T12:00:00.000Z'
const [LAMPS, PUMPS] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const WORKSPACE = '33333333-3333-4333-8333-333333333333'
const toConversation = (id: string, label: string) => ({
  kind: 'conversation',
  id,
  label,
  workspace: WORKSPACE,
  parent: 'k',
  payload: null,
  first_seen: at,
  last_seen: at,
})
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/resources', () =>
    HttpResponse.json(toPage([toConversation(LAMPS, 'Of lamps'), toConversation(PUMPS, 'Of pumps')])),
  ),
)

async function show(recent: readonly Run[] = []) {
  const person = userEvent.setup()
  renderPage(
    <>
      <ConversationList
        workspace={WORKSPACE}
        app={makeKey('chat', 'Front desk', ['deleteConversation'])}
        user="mira"
        selected={null}
        selectedLabel={null}
        latestRuns={getLatestRuns(recent)}
        onNew={null}
      />
      <button>After the list</button>
    </>,
  )
  await screen.findByRole('link', { name: 'Of lamps' })
  await screen.findByRole('button', { name: 'Rename Of lamps' })
  return person
}

test('a conversation is one tab stop; its buttons are reached by the arrows', async () => {
  const person = await show()
  screen.getByRole('link', { name: 'Of lamps' }).focus()
  await person.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename Of lamps' }))
  await person.keyboard('{ArrowRight}{ArrowRight}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Of lamps' }))
  await person.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Of lamps' }))
  await person.tab()
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Of pumps' }))
  await person.tab()
  expect(document.activeElement?.closest('li')).toBeNull()
})
