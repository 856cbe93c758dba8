import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { makeRun } from '../../../../client/runRow.testing.ts'
import { makeKey, makeSession } from '../../../../client/session.testing.ts'
import { startRun } from '../../../runs/startRun.ts'
import { TurnView } from './TurnView.tsx'
import { renderPage } from '../../../../client/page.testing.tsx'
import { serveApi } from '../../../../client/consoleApi.testing.ts'

const server = serveApi(http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))))

const REFUSED = {
  status: 'refused' as const,
  frames: 0,
  request: { query: 'What?', user: 'mira' },
  problem: { kind: 'refused' as const, message: 'Come back later.', upstream: { status: 429, body: null } },
}
const NOTE = 'This question started no conversation, so it is not in the list. It stays in Runs.'

const show = (run_id: string, run: Run | null) =>
  renderPage(
    <TurnView
      run_id={run_id}
      run={run}
      branches={run_id}
      workspace="w"
      app={makeKey('chat', 'Front desk')}
      source={null}
      edited={null}
      rating={null}
      showsSuggestions={false}
      actions={{
        onSource: vi.fn(),
        onInspect: vi.fn(),
        onRerun: vi.fn(),
        onDismiss: vi.fn(),
        onBranch: vi.fn(),
        onEdit: vi.fn(),
        onSuggestion: vi.fn(),
      }}
      canSend
    />,
  )

test('a first question that was refused says that it started no conversation, and leads to its run', () => {
  const run = makeRun(REFUSED)
  show(run.id, run)
  expect(screen.getByText(NOTE, { exact: false })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Open run' }).getAttribute('href')).toContain(`/runs/${run.id}`)
})

test('a question that this console refused is no run, and nothing leads to one', async () => {
  const missing = { kind: 'invalid', status: 404, message: 'There is no such key.' }
  server.use(http.post('*/api/keys/:key/chat-messages', () => HttpResponse.json(missing, { status: 404 })))
  const body = { query: 'What?', user: 'mira', inputs: {}, response_mode: 'streaming' }
  show(startRun('chat.send', { key: 'gone', body, workflow_id: null }), null)
  expect(await screen.findByText('There is no such key.')).toBeDefined()
  expect(screen.queryByText(NOTE, { exact: false })).toBeNull()
})
