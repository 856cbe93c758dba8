import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Message } from '#contract/platform/optionalMessages.ts'
import { serveApi } from '../../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../../client/page.testing.tsx'
import { makeKey } from '../../../../client/session.testing.ts'
import { PlatformMessageView } from './PlatformMessageView.tsx'

serveApi()

test('the steps of an agent are shown with its words, which stand in no other place of the history', () => {
  const step = { message_id: 'm', thought: '', observation: '', tool: '', tool_input: '', tool_labels: {}, files: [] }
  const message = Message.parse({
    id: 'm',
    query: 'Is the shop open?',
    answer: 'It opens at nine.',
    agent_thoughts: [
      { ...step, id: 'a', position: 1, answer: 'Let me check the shop. ' },
      { ...step, id: 'b', position: 2, answer: '', tool: 'shell_run', observation: 'closed', files: ['f-1'] },
      { ...step, id: 'c', position: 3, thought: 'So I think.', answer: 'It opens at nine.' },
    ],
  })
  renderPage(<PlatformMessageView message={message} app={makeKey('chat', 'Agent')} user="mira" workspace="w" />)
  const steps = screen.getByText('Agent steps (3)').closest('details') as HTMLElement
  expect(within(steps).getAllByText('Let me check the shop.')).toHaveLength(2)
  expect(steps.textContent).toContain('shell_run')
  expect(steps.textContent).toContain('f-1')
  expect(within(steps).getAllByText('So I think.')).toHaveLength(2)
})
