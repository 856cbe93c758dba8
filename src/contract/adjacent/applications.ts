import { z } from 'zod'
import { endpoint, form, PlainId } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { Done } from './shared.ts'

/** A file that was uploaded; its `id` is the `upload_file_id` of a run by the same `user`. `size` is bytes. */
export const Upload = shape.record(
  { id: shape.text },
  {
    name: shape.text,
    size: shape.integer,
    extension: shape.text,
    mime_type: shape.text,
    created_by: shape.text,
    created_at: shape.timestamp,
    preview_url: shape.text,
    source_url: shape.text,
  },
)

/** One run of a workflow application in the platform's own log. */
export const WorkflowLog = shape.record(
  { id: shape.text },
  {
    workflow_run: shape.record(
      {},
      {
        id: shape.text,
        version: shape.text,
        status: shape.word('running', 'succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
        error: shape.text,
        elapsed_time: z.number(),
        total_tokens: shape.integer,
        total_steps: shape.integer,
        created_at: shape.timestamp,
        finished_at: shape.timestamp,
        exceptions_count: shape.integer,
        triggered_from: shape.text,
      },
    ),
    created_from: shape.text,
    created_by_role: shape.word('account', 'end_user'),
    created_by_account: shape.object,
    created_by_end_user: shape.object,
    created_at: shape.timestamp,
    details: z.unknown(),
  },
)

/** What an application is. */
export const Info = shape.record(
  {},
  {
    name: shape.text,
    description: shape.text,
    tags: z.array(shape.text),
    mode: shape.word('completion', 'chat', 'agent-chat', 'advanced-chat', 'workflow', 'agent'),
    author_name: shape.text,
  },
)

/** The user that began the run; the platform ignores any other, and says success all the same. */
const ByUser = z.strictObject({ user: shape.User })
const time = z.iso.datetime({ offset: true }).optional()

export const applications = {
  /** Says what the application is. */
  info: endpoint({
    method: 'GET',
    path: '/info',
    key: 'app',
    permission: 'read',
    reply: Info,
    adjacent: true,
  }),
  /** Stops an answer of a chat application, a chatflow included. */
  stopChat: endpoint({
    method: 'POST',
    path: '/chat-messages/:task_id/stop',
    key: 'chat',
    permission: 'run',
    params: { task_id: PlainId },
    body: ByUser,
    reply: Done,
    touches: ['runs'],
    adjacent: true,
  }),
  /** Stops a completion. */
  stopCompletion: endpoint({
    method: 'POST',
    path: '/completion-messages/:task_id/stop',
    key: 'completion',
    permission: 'run',
    params: { task_id: PlainId },
    body: ByUser,
    reply: Done,
    touches: ['runs'],
    adjacent: true,
  }),
  /** Stops a run of a workflow application. */
  stopWorkflow: endpoint({
    method: 'POST',
    path: '/workflows/tasks/:task_id/stop',
    key: 'workflow',
    permission: 'run',
    params: { task_id: PlainId },
    body: ByUser,
    reply: Done,
    touches: ['runs'],
    adjacent: true,
  }),
  /** Uploads one file for a run by the same user. */
  uploadFile: endpoint({
    method: 'POST',
    path: '/files/upload',
    key: 'app',
    permission: 'run',
    body: form({ fields: z.strictObject({ user: shape.User.optional() }) }),
    reply: Upload,
    adjacent: true,
  }),
  /** Lists the runs of the application as the platform logged them. */
  workflowLogs: endpoint({
    method: 'GET',
    path: '/workflows/logs',
    key: 'app',
    permission: 'read',
    query: z.strictObject({
      keyword: z.string().max(255).optional(),
      status: z.enum(['succeeded', 'failed', 'stopped']).optional(),
      created_at__before: time,
      created_at__after: time,
      created_by_end_user_session_id: z.string().max(255).optional(),
      created_by_account: z.string().max(255).optional(),
      page: shape.count(1, 99_999).default(1),
      limit: shape.limit,
    }),
    reply: shape.list(WorkflowLog),
    names: (reply) =>
      reply.data.flatMap(({ workflow_run: run }) =>
        run?.id ? [{ kind: 'workflow_run', id: run.id, label: run.status }] : [],
      ),
    shows: ['runs'],
    adjacent: true,
  }),
}
