import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { AnswerMetrics } from '../answer/AnswerMetrics.tsx'
import { sampleTurn } from '../turn.testing.ts'
import { TurnProblem } from './TurnProblem.tsx'
import type { Turn } from '../turn.ts'

const draw = (part: Partial<Turn>) => {
  const turn = sampleTurn(part)
  return render(
    <MantineProvider>
      <MemoryRouter>
        <TurnProblem turn={turn} onSendAgain={vi.fn()} />
      </MemoryRouter>
      <p>
        <AnswerMetrics turn={turn} />
      </p>
    </MantineProvider>,
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

test('an error of the platform’s server is no refusal, and says what was called, with which key, and how long it took', () => {
  const problem = { kind: 'refused' as const, message: 'Internal error', upstream: { status: 500, body: {} } }
  const turn = sampleTurn({ state: 'failed', frames: 0, answer: emptyAnswer, problem, duration_ms: 312 })
  render(
    <MantineProvider>
      <TurnProblem turn={turn} app={{ label: 'Support', hint: 'a1b2' }} onSendAgain={null} />
    </MantineProvider>,
  )
  const note = screen.getByRole('alert')
  expect(note.querySelector('strong')?.textContent).toBe('The platform failed to answer.')
  expect(note.textContent).toContain('POST /chat-messageskey Support …a1b20.31 s')
})

test('an error in the stream is told the same way', () => {
  const problem = { status: 400, code: 'completion_request_error', message: 'Rate limit reached' }
  draw({ state: 'failed', answer: { ...emptyAnswer, text: 'Half', problem } })
  expect(screen.getByRole('alert').textContent).toContain('Rate limit reached')
  expect(screen.getByRole('alert').textContent).toContain('completion_request_error')
})

test('what became of the answer is the title, and a wait that the platform asks for is said', () => {
  const problem = { status: 400, code: 'c', message: 'Rate limit reached' }
  const title = () => screen.getByRole('alert').querySelector('strong')?.textContent
  const cases: [Partial<Turn>, string, string?][] = [
    [{ answer: { ...emptyAnswer, problem } }, 'The platform sent an error instead of an answer.'],
    [
      { answer: { ...emptyAnswer, text: 'Half', problem } },
      'The platform ended the answer with an error. What came is kept.',
    ],
    [{ problem: { kind: 'mismatch', message: 'A redirect.' }, frames: 0 }, 'No answer received.'],
    [
      { problem: { kind: 'refused', message: 'Slow down.', retry_after: 7 } },
      'The platform refused to answer.',
      'asks to wait 7 s.',
    ],
  ]
  for (const [part, words, note = ''] of cases) {
    const { unmount } = draw({ state: 'failed', answer: emptyAnswer, ...part })
    expect(title()).toBe(words)
    expect(screen.getByRole('alert').textContent).toContain(note)
    unmount()
  }
})

test('where nothing failed there is no note', () => {
  draw({ state: 'interrupted' })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('figures are the platform’s, and what is missing is never 0', () => {
  const usage = { prompt_tokens: 2318, completion_tokens: 212, total_price: '0.0041', currency: 'USD' }
  const { unmount } = draw({ answer: { ...emptyAnswer, text: 'x', usage }, duration_ms: 6_590 })
  expect(figures()).toBe('first token 1.29 sspeed 40.0 tokens/stokens 2,318 in 212 outprice $0.0041')
  unmount()
  draw({ first_token_ms: null, answer: { ...emptyAnswer, text: 'This.' } })
  expect(figures()).toBe('first token not givenspeed not giventext 5 characters (counted here)price not given')
})

test('while an answer comes its price is announced, not missing', () => {
  draw({ state: 'streaming', duration_ms: null })
  expect(figures()).toBe('first token 1.29 stext 5 characters so farprice sent with message_end')
})
