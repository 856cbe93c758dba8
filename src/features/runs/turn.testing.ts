import { emptyAnswer } from '#domain/answer/answerState.ts'
import type { Turn } from './turn.ts'

/** A turn as a test needs it. */
export const sampleTurn = (part: Partial<Turn> = {}): Turn => ({
  run_id: '11111111-1111-4111-8111-111111111111',
  entry: 'chat.send',
  state: 'succeeded',
  question: {
    query: 'What?',
    user: 'mira',
    inputs: {},
    response_mode: 'streaming',
    conversation_id: null,
    pinned_workflow_id: null,
    body: {},
  },
  answer: { ...emptyAnswer, text: 'This.' },
  problem: null,
  stop: null,
  endMark: null,
  gaps: [],
  connection: null,
  frames: 64,
  sent_at: Date.now(),
  last_frame_at: Date.now(),
  first_token_ms: 1_290,
  first_frame_ms: null,
  last_frame_ms: 4_300,
  duration_ms: 4_300,
  ...part,
})
