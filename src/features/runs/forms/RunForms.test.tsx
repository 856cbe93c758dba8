import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { sampleTurn } from '../turn.testing.ts'
import { RunForms } from './RunForms.tsx'

const unavailable = { kind: 'unreachable', message: 'No answer.' }
serveApi(
  http.get('*/api/runs/:run_id', () => HttpResponse.json(unavailable, { status: 502 })),
  http.get('*/api/runs/:run_id/forms/:form_id', () => HttpResponse.json(unavailable, { status: 502 })),
)

const form = {
  form_id: 'f',
  node_id: 'human',
  node_title: 'Approval',
  form_content: 'Please check.',
  inputs: [],
  actions: [{ id: 'approve', title: 'Approve', button_style: 'primary' }],
  form_token: null as string | null,
  expiration_time: 4_000_000_000,
}
const show = (events: object[]) => {
  const ids = { conversation_id: 'c', message_id: 'm', task_id: 't', workflow_run_id: 'r' }
  const answer = events.map((event) => ({ ...ids, ...event })).reduce(foldAnswer, emptyAnswer)
  renderPage(<RunForms turn={sampleTurn({ state: 'paused', answer })} app={null} />)
}
const pause = (part: object) =>
  show([
    { event: 'human_input_required', data: { ...form, ...part } },
    {
      event: 'workflow_paused',
      data: { status: 'paused', reasons: [{ TYPE: 'human_input_required', ...form, ...part }] },
    },
  ])

test.each([
  [{ approval_channels: ['console', 'email'] }, 'This form waits for an e-mail answer and cannot be answered here.'],
  [
    { approval_channels: ['console'] },
    'This form waits for an answer in the platform’s own interface and cannot be answered here.',
  ],
  [
    { form_token: 'x', approval_channels: ['email'] },
    'This form also waits for an e-mail answer. The first answer counts.',
  ],
])('a form says where its answer comes from: %j', async (part, words) => {
  pause(part)
  expect(await screen.findByText(words)).toBeDefined()
})

test('a form that waits for an answer here alone says nothing of others', async () => {
  pause({ form_token: 'x', approval_channels: ['console'] })
  expect(await screen.findByText('Please check.')).toBeDefined()
  expect(screen.queryByText(/e-mail/)).toBeNull()
})

test('the question of an agent app is explained, and no form: it was answered by nobody', () => {
  show([
    { event: 'human_input_required', data: { ...form, node_id: 'm', node_title: 'Agent' }, workflow_run_id: 'm' },
    { event: 'message', answer: 'Which city?' },
    { event: 'message_end', metadata: {} },
  ])
  const note = screen.getByRole('note')
  expect(note.textContent).toContain('Question of the agent: Agent')
  expect(note.textContent).toContain('The answer comes in the platform’s own interface and cannot be given here.')
  expect(screen.queryByText(/Answered outside this console/)).toBeNull()
})
