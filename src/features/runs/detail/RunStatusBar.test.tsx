import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { END_MARKS } from '#domain/workflowRun/endCauses.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { RunStatusBar } from './RunStatusBar.tsx'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { renderPage } from '../../../client/page.testing.tsx'

const draw = (part: Partial<Turn>, on: { sendAgain?: () => void; giveUp?: () => void } = {}) =>
  renderPage(<RunStatusBar turn={sampleTurn(part)} onResend={on.sendAgain ?? vi.fn()} onEdit={on.giveUp ?? vi.fn()} />)
const bar = () => screen.getByRole('status').textContent

test('an answer that succeeded has no bar', () => {
  draw({})
  expect(screen.queryByRole('status')).toBeNull()
})

test('a line that broke before the first frame claims nothing about the server', () => {
  draw({ state: 'streaming', frames: 0, connection: { state: 'reconnecting', attempt: 1, retry_at: null } })
  expect(bar()).toContain('Connection lost before the first frame. Checking whether the run was started. Retry 1 now.')
})

test('a cut run says who cut it, and is sent again only by a person', async () => {
  const sendAgain = vi.fn()
  draw({ state: 'interrupted' }, { sendAgain })
  expect(bar()).toContain(
    'The platform closed the stream after frame 64, without message_end. What was received is saved.',
  )
  expect(sendAgain).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(sendAgain).toHaveBeenCalledOnce()
})

const ENDED = 'Loupe ended the run: it took more than 60 minutes.'
test.each<[string, Turn['problem'], Partial<RunState>]>([
  ['its problem', { kind: 'mismatch', message: ENDED }, {}],
  [
    'what was stored when the platform was asked',
    null,
    { told: { at: '2026-11-28T10:00:00Z', elsewhere: false, because: ENDED } },
  ],
])('a run that Loupe ended says so, by %s', (_, problem, state) => {
  draw({ state: 'interrupted', problem, answer: { ...emptyAnswer, run: { ...emptyRun, ...state } } })
  expect(bar()).toContain(`${ENDED} Everything up to frame 64 is saved.`)
})

test('a run that a plugin broke off says under which id the log of the platform has it', () => {
  const body = { code: 'plugin_runtime_error', details: { request_id: 'req-7f3a' } }
  const problem: Turn['problem'] = {
    kind: 'cut',
    message: 'The plugin failed.',
    upstream: { status: 502, body },
  }
  const { unmount } = draw({ state: 'interrupted', problem })
  expect(bar()).toContain('The plugin failed. Everything up to frame 64 is saved.Platform request id: req-7f3a')
  screen.getByRole('button', { name: 'Copy id req-7f3a' })
  unmount()
  draw({ state: 'interrupted', problem: { ...problem, upstream: { status: 502, body: {} } } })
  expect(bar()).not.toContain('Request id')
})

test('where nothing came nothing is said to be kept', () => {
  const { unmount } = draw({ state: 'interrupted', frames: 0 })
  expect(bar()).toContain('The platform opened a stream and closed it without sending a frame.')
  unmount()
  draw({
    state: 'interrupted',
    frames: 0,
    problem: { kind: 'cut', message: 'The connection to the platform was lost.' },
  })
  expect(bar()).toContain('The connection to the platform was lost. No frame was received.')
})

test('a call that was cut is never called failed', () => {
  draw({ state: 'unknown', problem: { kind: 'late', message: 'The gateway cut this call after 100 s.' } })
  expect(bar()).toContain('unknownThe gateway cut this call after 100 s. It may have finished and been charged.')
})

test('a question that never left can be sent or taken back', async () => {
  const giveUp = vi.fn()
  draw({ state: 'unsent', frames: 0 }, { giveUp })
  expect(bar()).toContain('The server did not receive this question. Nothing was sent to the platform.')
  await userEvent.click(screen.getByRole('button', { name: 'Edit question' }))
  expect(giveUp).toHaveBeenCalledOnce()
})

const stop = { person: 'mira', at: '2026-11-28T10:00:00Z', after_frame: 12, had_effect: true, reason: null }
const usage: AnswerState['usage'] = { total_tokens: 12 }
test.each<[string, Partial<AnswerState>]>([
  ['What was received is saved.', {}],
  ['The answer may be cut.', { usage }],
  ['What was received is saved.', { usage, run: { ...emptyRun, status: 'stopped' } }],
])('our stop has its person, and “%s”', (rest, part) => {
  draw({ state: 'stopped', stop, answer: { ...emptyAnswer, ...part } })
  expect(bar()).toContain(`Stopped by mira after frame 12. ${rest}`)
})

test.each<[string, string]>([
  ['stop', 'Another client stopped the run, as far as this console knows.'],
  ['stop_or_time_limit', 'Another client or the time limit of the platform’s queue stopped the run'],
  ['step_limit', 'The platform ended the run at its limit of steps.'],
  ['time_limit', 'The platform ended the run at its time limit.'],
  ['worker_shutdown', 'The platform ended the run because its worker was shut down.'],
  ['output_moderation', 'The platform’s output moderation stopped the run.'],
  ['abandoned_pause', 'The platform ended the run instead of resuming it after the pause.'],
])('a stop that is not ours has its cause and the platform’s words: %s', (cause, sentence) => {
  const error = 'In the words of the platform.'
  const endMark = END_MARKS.find((mark) => mark.cause === cause) ?? null
  draw({ state: 'stopped', endMark, answer: { ...emptyAnswer, run: { ...emptyRun, error } } })
  expect(bar()).toContain(sentence)
  expect(screen.getByText(error).title).toBe(`The platform’s own message, known since release ${endMark?.since}`)
})

test('a stop in unknown words has these words; one without any claims nothing', () => {
  const { unmount } = draw({
    state: 'stopped',
    answer: { ...emptyAnswer, run: { ...emptyRun, error: 'Stopped at midnight.' } },
  })
  expect(bar()).toContain('The run was stopped. What was received is saved. Stopped at midnight.')
  unmount()
  draw({ state: 'stopped' })
  expect(bar()).toContain('The run was stopped. What was received is saved.')
})

test('an answer that was not measured may be cut', () => {
  draw({ endMark: END_MARKS.find(({ cause }) => cause === 'unmeasured') ?? null })
  expect(bar()).toContain('The answer ended without usage figures. It may be cut')
})
