import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { RunForm } from '#contract/console/forms.ts'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { sampleTurn } from '../turn.testing.ts'
import { RunFormCard } from './RunForms.tsx'

const form: RunForm = {
  form_id: 'f',
  node_id: 'n',
  node_title: 'Ask a person',
  content: '',
  fields: [{ name: 'comment', kind: 'paragraph', initial: 'fine', options: [], files: null }],
  actions: [{ id: 'approve', title: 'Approve', style: 'primary' }],
  expires_at: null,
  can_answer: true,
  channels: [],
  is_pending: true,
  outcome: null,
}
const at = new Date(Date.now() + 3_600_000).toISOString()
const scheduled = { person: 'mira', at, action: 'approve', inputs: { comment: 'Well done.' }, problem: null }

serveApi(
  http.get('*/api/runs/:run_id/forms/:form_id', () =>
    HttpResponse.json({ form, state: 'open', answer: null, resumption_risk: null, scheduled }),
  ),
)

test('an answer that is held stands there with its values, in place of the form', async () => {
  renderPage(<RunFormCard turn={sampleTurn({ state: 'paused' })} app={null} form={form} />)
  expect((await screen.findByText('Well done.')).tagName).toBe('DD')
  expect(screen.getByRole('status').textContent).toMatch(/^ mira has answered: Approve\. Loupe sends it at \d\d:\d\d\./)
  expect(screen.queryByRole('textbox')).toBeNull()
})
