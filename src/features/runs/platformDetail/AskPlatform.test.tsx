import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { newQueryClient } from '../../../client/query.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { AskPlatform } from './AskPlatform.tsx'
import { makeSession } from '../../../client/session.testing.ts'
import type { Role } from '#contract/permissions.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { buildUrl } from '../../../client/http.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const ID = '0190b6a0-1111-7abc-8def-0123456789ab'
const requests: unknown[] = []
let reply: () => Response = () => HttpResponse.json(null)
serveApi(
  http.post('*/api/runs/:id/reconcile', async ({ request }) => {
    requests.push(await request.json())
    return reply()
  }),
  http.get('*/api/keys/k/workflows/logs', () =>
    HttpResponse.json({ page: 1, limit: 20, total: 1, has_more: false, data: [{ id: 'l', workflow_run: { id: ID } }] }),
  ),
)
afterEach(() => requests.splice(0))

function show(part: Partial<Turn>, offers: string[] = [], role: Role = 'operator') {
  const client = newQueryClient()
  client.setQueryData([buildUrl(accessEndpoints.session, {})], makeSession(role))
  renderPage(
    <AskPlatform
      turn={sampleTurn({ entry: 'workflows.run', ...part })}
      app={{ id: 'k', kind: 'workflow', offers } as unknown as Key}
    />,
    { client },
  )
  return userEvent.setup()
}

test('a run that named itself is asked for at once, and while it goes on that is said', async () => {
  const run = { ...emptyRun, workflow_run_id: ID }
  reply = () => HttpResponse.json(makeRun({ entry: 'workflows.run', status: 'interrupted' }))
  const user = show({ state: 'interrupted', answer: { ...emptyAnswer, run } })
  await user.click(await screen.findByRole('button', { name: 'Ask the platform' }))
  await screen.findByText(/the run has not ended yet/)
  expect(requests).toEqual([{}])
})

test('a call that was cut before it was named is looked for in the platform’s log', async () => {
  reply = () =>
    HttpResponse.json(
      { kind: 'refused', message: 'No.', upstream: { status: 404, body: { code: 'not_found' } } },
      { status: 424 },
    )
  const user = show({ state: 'unknown' }, ['workflowLogs'])
  await user.click(await screen.findByRole('button', { name: 'Ask the platform' }))
  await user.click(await screen.findByRole('button', { name: 'Use this run' }))
  await screen.findByText('The platform has no run with this id.')
  expect(requests).toEqual([{ workflow_run_id: ID }])
})

test.each([
  { state: 'succeeded' as const },
  { state: 'failed' as const },
  { state: 'interrupted' as const, entry: 'chat.send' as const },
])('nothing is offered for %o', (part) => {
  show(part)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a viewer is not offered to ask', () => {
  show({ state: 'interrupted' }, [], 'viewer')
  expect(screen.queryByRole('button')).toBeNull()
})
