import type { Run } from '#contract/console/runs.ts'

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
