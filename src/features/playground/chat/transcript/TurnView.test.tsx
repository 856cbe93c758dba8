import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { serveApi } from '../../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../../client/page.testing.tsx'
import { makeRun } from '../../../../client/runRow.testing.ts'
import { makeKey } from '../../../../client/session.testing.ts'
import { startRun } from '../../../runs/startRun.ts'
import { TurnView } from './TurnView.tsx'

const missing = { kind: 'invalid', status: 404, message: 'The key was not found.' }
serveApi(http.post('*/api/keys/:key/chat-messages', () => HttpResponse.json(missing, { status: 404 })))

const NOTE = /This question started no conversation/
const act = vi.fn()
const actions = {
  onSource: act,
  onInspect: act,
  onRerun: act,
  onDismiss: act,
  onBranch: act,
  onEdit: act,
  onSuggestion: act,
}

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
      actions={actions}
      canSend
    />,
  )
const makeRefusedRun = (request: object) =>
  makeRun({ status: 'refused', frames: 0, request, problem: { kind: 'refused', message: 'Come back later.' } })

test('a first question that was refused says that it started no conversation, and leads to its run', () => {
  const run = makeRefusedRun({ query: 'What?' })
  show(run.id, run)
  expect(screen.getByText(NOTE)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Open run' }).getAttribute('href')).toContain(`/runs/${run.id}`)
})

test('a question that was refused in a conversation stays in its list', () => {
  const run = makeRefusedRun({ query: 'What?', conversation_id: 'c1' })
  show(run.id, run)
  expect(screen.getByText('Come back later.')).toBeDefined()
  expect(screen.queryByText(NOTE)).toBeNull()
})

test('a question that this console refused is no run, and nothing leads to one', async () => {
  const body = { query: 'What?', user: 'mira', inputs: {}, response_mode: 'streaming' }
  show(startRun('chat.send', { key: 'gone', body, workflow_id: null }), null)
  expect(await screen.findByText('The key was not found.')).toBeDefined()
  expect(screen.queryByText(NOTE)).toBeNull()
})
