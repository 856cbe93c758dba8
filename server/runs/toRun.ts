import { type Run, pickRunFigures } from '#contract/console/runs.ts'
import { pickStoredTimes } from '#domain/stream/streamTimes.ts'
import { type CallContext, type CallRow, toCallMarks } from '../ledger/callRow.ts'

/** `withBody` adds the request and the fold. */
export function toRun(row: CallRow, withBody = false, context: CallContext = {}): Run {
  return {
    id: row.id,
    status: row.status,
    entry: row.entry,
    workspace: row.workspace_id,
    key: row.key_id,
    person: row.person,
    user: row.end_user,
    response_mode: row.response_mode,
    title: row.title,
    parent: row.parent_id,
    conversation_id: row.conversation_id,
    message_id: row.message_id,
    task_id: row.task_id,
    workflow_run_id: row.workflow_run_id,
    workflow_id: row.workflow_id,
    pinned_workflow_id: row.pinned_workflow_id,
    frames: row.frames,
    bytes: Number(row.bytes),
    created_at: row.created_at.toISOString(),
    ...pickStoredTimes(row),
    ...pickRunFigures(row),
    platform_version: row.platform_version,
    gaps: row.gaps ?? [],
    problem: row.problem,
    earlier_status: row.earlier_status,
    ...toCallMarks(row, context),
    ...(withBody ? { request: row.request, answer: row.answer } : {}),
  }
}
