import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { toAbortedResumptionProblem } from '#domain/workflowRun/abortedResumption.ts'
import { AnswerMetrics } from '../answer/AnswerFooter.tsx'
import { sampleTurn } from '../turn.testing.ts'
import { TurnProblem } from './TurnProblem.tsx'
import type { Turn } from '../turn.ts'
import { renderPage } from '../../../client/page.testing.tsx'

const draw = (part: Partial<Turn>) => {
  const turn = sampleTurn(part)
  return renderPage(
    <>
      <TurnProblem turn={turn} onSendAgain={vi.fn()} />
      <p>
        <AnswerMetrics turn={turn} />
      </p>
    </>,
  )
}
const figures = () => document.querySelector('p')?.textContent

test('a refusal is told in the platform’s words, with its whole answer', () => {
  const upstream = { status: 401, body: { code: 'unauthorized', message: 'Access token is invalid' } }
  draw({ state: 'failed', problem: { kind: 'refused', message: 'Access token is invalid', upstream } })
  const note = screen.getByRole('alert')
  expect(note.querySelector('blockquote')?.textContent).toBe('Access token is invalid')
  expect(note.textContent).toContain('401')
  expect(note.querySelector('pre')?.textContent).toContain('"code": "unauthorized"')
  expect(screen.getByRole('button', { name: 'Send again' })).toBeDefined()
})

test('an error in the stream is told the same way', () => {
  const problem = { status: 400, code: 'completion_request_error', message: 'Rate limit reached' }
  draw({ state: 'failed', answer: { ...emptyAnswer, text: 'Half', problem } })
  expect(screen.getByRole('alert').textContent).toContain('Rate limit reached')
  expect(screen.getByRole('alert').textContent).toContain('completion_request_error')
})

test('a limit of an agent is explained, with the platform’s own words', () => {
  const problem = { status: 400, code: 'agent_run_limit_exceeded', message: 'UsageLimitExceeded: 500' }
  draw({ state: 'failed', answer: { ...emptyAnswer, text: 'Half', problem } })
  expect(screen.getByRole('alert').querySelector('blockquote')?.textContent).toBe(
    'The agent reached the platform’s limit of steps or time for one run. The platform says: “UsageLimitExceeded: 500”',
  )
})

test('an error of a plugin has the id of its request, to be copied', () => {
  const body = {
    code: 'plugin_runtime_error',
    message: 'Bad gateway',
    status: 502,
    details: { request_id: 'req-0123456789' },
  }
  const problem = {
    kind: 'refused' as const,
    message: 'A plugin of the platform failed.',
    upstream: { status: 502, body },
  }
  draw({ state: 'failed', problem })
  expect(screen.getByText('req-0123456789')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Copy id req-0123' })).toBeDefined()
})

test('figures are the platform’s, and what is missing is never 0', () => {
  const usage = { prompt_tokens: 2318, completion_tokens: 212, total_price: '0.0041', currency: 'USD' }
  const { unmount } = draw({ answer: { ...emptyAnswer, text: 'x', usage }, duration_ms: 6_590 })
  expect(figures()).toBe('first token 1.29 sspeed 40.0 tokens/stokens 2,318 in 212 outprice $0.0041')
  unmount()
  draw({ first_token_ms: null, answer: { ...emptyAnswer, text: 'This.' } })
  expect(figures()).toBe('first token not givenspeed not giventext 5 characters (counted here)price not given')
})

test('a run that its platform aborted after a form has a title of its own', () => {
  draw({
    entry: 'workflows.run',
    state: 'failed',
    problem: toAbortedResumptionProblem('Aborted: App task was stopped'),
  })
  const note = screen.getByRole('alert')
  expect(note.querySelector('strong')?.textContent).toBe('The platform aborted the run after its form')
  expect(note.textContent).toContain('Your answer was accepted; steps after the form may have run.')
  expect(note.textContent).toContain('“Aborted: App task was stopped”')
})
