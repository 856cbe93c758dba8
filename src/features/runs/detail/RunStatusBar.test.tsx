import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { RunStatusBar } from './RunStatusBar.tsx'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'

const draw = (part: Partial<Turn>, on: { sendAgain?: () => void; giveUp?: () => void } = {}) =>
  render(
    <MantineProvider>
      <RunStatusBar turn={sampleTurn(part)} onResend={on.sendAgain ?? vi.fn()} onEdit={on.giveUp ?? vi.fn()} />
    </MantineProvider>,
  )
const bar = () => screen.getByRole('status').textContent

test('an answer that succeeded has no bar', () => {
  draw({})
  expect(screen.queryByRole('status')).toBeNull()
})

test('a live run says how far it is, and that one may leave', () => {
  draw({ state: 'streaming', connection: { state: 'live' } })
  expect(bar()).toContain('liveFrame 64 at 4.30 s. You can leave this page.')
  expect(screen.getByRole('button', { name: 'Stop watching' })).toBeDefined()
})

test('a silence says how long it lasts', () => {
  const { unmount } = draw({
    state: 'streaming',
    connection: { state: 'live' },
    sent_at: Date.now() - 34_500,
    last_frame_at: Date.now() - 12_200,
    last_frame_ms: 4_300,
  })
  expect(bar()).toContain('Frame 64 at 4.30 s. Nothing for 12 s, cut after 120 s. You can leave this page.')
  unmount()
  draw({
    state: 'streaming',
    connection: { state: 'live' },
    frames: 0,
    sent_at: Date.now() - 12_200,
    last_frame_at: null,
    last_frame_ms: null,
  })
  expect(bar()).toContain(
    'Request sent, nothing for 12 s. Cut after 60 s without a response, or 120 s without a frame. You can leave this page.',
  )
})

test('a lost line counts down to its next try', () => {
  const line = { state: 'reconnecting' as const, attempt: 2, retry_at: Date.now() + 2_600 }
  const { unmount } = draw({ state: 'streaming', connection: line })
  expect(bar()).toContain('Connection lost after frame 64. The server may still be reading. Retry 2 in 3 s.')
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Retry now', 'Stop watching'])
  unmount()
  draw({ state: 'streaming', connection: { ...line, retry_at: null } })
  expect(bar()).toContain('Retry 2 now.')
})

test('a line that broke before the first frame claims nothing about the server', () => {
  draw({ state: 'streaming', frames: 0, connection: { state: 'reconnecting', attempt: 1, retry_at: null } })
  expect(bar()).toContain('Connection lost before the first frame. Checking whether the run was started. Retry 1 now.')
})

test('a run that one stopped watching can be watched again', () => {
  draw({ state: 'away' })
  expect(bar()).toContain('You stopped watching after frame 64. The run continues at the platform.')
  expect(screen.getByRole('button', { name: 'Resume watching' })).toBeDefined()
})

test('a cut run says who cut it, and is sent again only by a person', async () => {
  const sendAgain = vi.fn()
  draw({ state: 'interrupted' }, { sendAgain })
  expect(bar()).toContain('The platform closed the stream after frame 64, no message_end. What came is kept.')
  expect(sendAgain).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  expect(sendAgain).toHaveBeenCalledOnce()
})

test('a stopped run says who stopped it and after which frame, where that is known', () => {
  const stop = { person: 'Ada', at: '2026-11-22T10:00:00.000Z', after_frame: 20, had_effect: true, reason: null }
  const { unmount } = draw({ state: 'stopped', stop })
  expect(bar()).toContain('Stopped by Ada after frame 20. What came is kept.')
  unmount()
  const { unmount: next } = draw({ state: 'stopped', stop: { ...stop, person: null } })
  expect(bar()).toContain('Stopped after frame 20. What came is kept.')
  next()
  draw({ state: 'stopped', stop: null })
  expect(bar()).not.toContain('frame')
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

test('a reason that the server gives comes first', () => {
  draw({ state: 'interrupted', problem: { kind: 'cut', message: 'The console was stopped.' } })
  expect(bar()).toContain('The console was stopped. What came up to frame 64 is kept.')
})

test('a call that was cut is never called failed', () => {
  draw({ state: 'unknown', problem: { kind: 'late', message: 'The gateway cut this call after 100 s.' } })
  expect(bar()).toContain('unknownThe gateway cut this call after 100 s. It may have finished and been charged.')
})

test('a blocking run shows its clock, and warns before a gateway cuts it', () => {
  const question = { ...sampleTurn().question, response_mode: 'blocking' as const }
  const turn = { state: 'sending' as const, line: { state: 'sending' as const }, question, frames: 0 }
  const { unmount } = draw({ ...turn, sent_at: Date.now() - 12_200 })
  expect(bar()).toContain('Waiting for the full response, 12 s.')
  unmount()
  draw({ ...turn, sent_at: Date.now() - 81_000 })
  expect(bar()).toContain('A gateway may end the call after 100 s')
})

test('a question that never left can be sent or taken back', async () => {
  const giveUp = vi.fn()
  draw({ state: 'unsent', frames: 0 }, { giveUp })
  expect(bar()).toContain('The server did not receive this question. Nothing was sent to the platform.')
  await userEvent.click(screen.getByRole('button', { name: 'Edit question' }))
  expect(giveUp).toHaveBeenCalledOnce()
})
