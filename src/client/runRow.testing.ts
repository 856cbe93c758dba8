import type { Call } from '#contract/console/calls.ts'
import type { Run } from '#contract/console/runs.ts'
import type { RunView } from './runStore.ts'

/** A run row as the server returns it. */
export function makeRun(given: Partial<Run> = {}): Run {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    status: 'succeeded',
    entry: 'chat.send',
    workspace: 'w',
    key: 'k',
    person: null,
    user: null,
    response_mode: 'streaming',
    title: 'q',
    parent: null,
    conversation_id: null,
    message_id: null,
    task_id: null,
    workflow_run_id: null,
    workflow_id: null,
    pinned_workflow_id: null,
    frames: 1,
    bytes: 1,
    created_at: '2026-11-21T10:00:00.000Z',
    first_frame_ms: 1,
    first_token_ms: 1,
    duration_ms: 2,
    total_tokens: null,
    total_price: null,
    currency: null,
    platform_version: null,
    problem: null,
    ...given,
  }
}

/** A call of the ledger as the server returns it. */
export function makeCall(given: Partial<Call> = {}): Call {
  return {
    id: 'c1',
    entry: 'chat.send',
    status: 'succeeded',
    workspace: 'w',
    key: 'k',
    person: 'Ada',
    user: null,
    title: '',
    note: null,
    parent: null,
    http_status: 200,
    problem: null,
    created_at: '2026-11-21T10:00:00.000Z',
    duration_ms: 5,
    first_token_ms: null,
    total_tokens: null,
    total_price: null,
    currency: null,
    frames: 0,
    ...given,
  }
}

/** A run that this browser watches. */
export const makeRunView = <State>(given: Partial<RunView<State>> & { state: State }): RunView<State> => ({
  run_id: 'r',
  phase: 'watching',
  connection: { state: 'live' },
  frames: 0,
  sent: null,
  sent_at: null,
  first_frame_at: null,
  last_frame_at: null,
  first_frame_ms: null,
  last_frame_ms: null,
  first_token_ms: null,
  run: null,
  problem: null,
  ...given,
})
