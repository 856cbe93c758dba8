import { expect, test } from 'vitest'
import { emptyAnswer } from '#contract/answer.ts'
import type { Run } from '#contract/runs.ts'
import type { RunView } from '../../wire/runs.ts'
import { conversationOf, rowsOf } from './transcript.ts'

const told = (...ids: string[]) => ids.map((id) => ({ id }) as Run)
const view = (run_id: string, part: { asked?: string; named?: string; sent_at?: number }): RunView<unknown> => ({
  run_id,
  phase: 'watching',
  line: { state: 'live' },
  state: { ...emptyAnswer, conversation_id: part.named ?? null },
  frames: 0,
  sent: { key: 'k', parent: null, body: { query: 'q', ...(part.asked ? { conversation_id: part.asked } : {}) } },
  sent_at: part.sent_at ?? 1,
  first_frame_at: null,
  first_token_at: null,
  last_frame_at: null,
  run: null,
  problem: null,
})
const ids = (rows: { run_id: string }[]) => rows.map(({ run_id }) => run_id)

test('what the server tells comes first, then what only this browser knows, in the order of asking', () => {
  const local = [
    view('b', { asked: 'c1', sent_at: 9 }),
    view('a', { named: 'c1', sent_at: 5 }),
    view('x', { asked: 'c1' }),
  ]
  expect(ids(rowsOf(told('x', 'y'), local, 'c1', null))).toEqual(['x', 'y', 'a', 'b'])
})

test('runs of other conversations stay out', () => {
  const local = [view('other', { asked: 'c2' }), view('fresh', {})]
  expect(ids(rowsOf([], local, 'c1', null))).toEqual([])
  expect(ids(rowsOf([], local, null, null))).toEqual([])
})

test('a run that has no conversation yet shows where the URL names it', () => {
  const local = [view('fresh', {}), view('named', { named: 'c9' })]
  expect(ids(rowsOf([], local, null, 'fresh'))).toEqual(['fresh'])
  expect(ids(rowsOf([], local, null, 'named'))).toEqual(['named'])
})

test('the platform’s word on the conversation counts before what was asked for', () => {
  expect(conversationOf(view('a', { asked: 'c1', named: 'c2' }))).toBe('c2')
  expect(conversationOf(view('a', { asked: 'c1' }))).toBe('c1')
  expect(conversationOf(view('a', {}))).toBeNull()
})
