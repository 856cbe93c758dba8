import { z } from 'zod'
import { endpoint, form, Id, IsoTime, PathSegmentId } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { ResultReply } from './optionalReplies.ts'

/** An uploaded file; its `id` is the `upload_file_id` of a run by the same `user`. `size` is in bytes. */
export const UploadedFile = shape.looseRecord(
  { id: shape.stringField },
  {
    name: shape.stringField,
    size: shape.integerField,
    extension: shape.stringField,
    mime_type: shape.stringField,
    created_by: shape.stringField,
    created_at: shape.timestampField,
    preview_url: shape.stringField,
    source_url: shape.stringField,
    reference: shape.sentSince('1.16', shape.stringField),
    original_url: shape.sentSince('1.16', shape.stringField),
    user_id: shape.sentSince('1.16', shape.stringField),
    tenant_id: shape.sentSince('1.16', shape.stringField),
    conversation_id: shape.sentSince('1.16', shape.stringField),
    file_key: shape.sentSince('1.16', shape.stringField),
  },
)

/** One run of a workflow application in the platform's own log. */
export const WorkflowLog = shape.looseRecord(
  { id: shape.stringField },
  {
    workflow_run: shape.looseRecord(
      {},
      {
        id: shape.stringField,
        version: shape.stringField,
        status: shape.openEnum('running', 'succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
        error: shape.stringField,
        elapsed_time: z.number(),
        total_tokens: shape.integerField,
        total_steps: shape.integerField,
        created_at: shape.timestampField,
        finished_at: shape.timestampField,
        exceptions_count: shape.integerField,
        triggered_from: shape.stringField,
      },
    ),
    created_from: shape.stringField,
    created_by_role: shape.openEnum('account', 'end_user'),
    created_by_account: shape.objectField,
    created_by_end_user: shape.objectField,
    created_at: shape.timestampField,
    details: z.unknown(),
  },
)

/** An end user of an application. `session_id` is the name that the caller gave. Times are ISO 8601. */
export const PlatformEndUser = shape.looseRecord(
  { id: shape.stringField },
  {
    tenant_id: shape.stringField,
    app_id: shape.stringField,
    type: shape.stringField,
    external_user_id: shape.stringField,
    name: shape.stringField,
    is_anonymous: shape.booleanField,
    session_id: shape.stringField,
    created_at: shape.stringField,
    updated_at: shape.stringField,
  },
)

/** The user that started the run; the platform ignores any other user, but still reports success. */
const UserBody = z.strictObject({ user: shape.EndUser })

export const optionalAppEndpoints = {
  /** Returns an end user by the id that runs and feedbacks name. */
  readEndUser: endpoint({
    method: 'GET',
    path: '/end-users/:end_user_id',
    key: 'app',
    permission: 'read',
    reply: PlatformEndUser,
    optional: true,
  }),
  /** Stops an answer of a chat application, a chatflow included. */
  stopChat: endpoint({
    method: 'POST',
    path: '/chat-messages/:task_id/stop',
    key: 'chat',
    permission: 'run',
    params: { task_id: PathSegmentId },
    body: UserBody,
    reply: ResultReply,
    invalidates: ['runs'],
    optional: true,
  }),
  stopCompletion: endpoint({
    method: 'POST',
    path: '/completion-messages/:task_id/stop',
    key: 'completion',
    permission: 'run',
    params: { task_id: PathSegmentId },
    body: UserBody,
    reply: ResultReply,
    invalidates: ['runs'],
    optional: true,
  }),
  stopWorkflow: endpoint({
    method: 'POST',
    path: '/workflows/tasks/:task_id/stop',
    key: 'workflow',
    permission: 'run',
    params: { task_id: PathSegmentId },
    body: UserBody,
    reply: ResultReply,
    invalidates: ['runs'],
    optional: true,
  }),
  /** Uploads one file for a run by the same user. */
  uploadFile: endpoint({
    method: 'POST',
    path: '/files/upload',
    key: 'app',
    permission: 'run',
    body: form({ fields: z.strictObject({ user: shape.EndUser.optional() }) }),
    reply: UploadedFile,
    optional: true,
  }),
  /** Returns the bytes of a file that was sent with a message; the console shows them by a route of its own. */
  previewFile: endpoint({
    method: 'GET',
    path: '/files/:file_id/preview',
    key: 'app',
    permission: 'read',
    query: z.strictObject({ user: shape.EndUser.optional(), as_attachment: z.enum(['true', 'false']).optional() }),
    reply: z.unknown(),
    optional: true,
    isServerOnly: true,
  }),
  audioToText: endpoint({
    method: 'POST',
    path: '/audio-to-text',
    key: 'app',
    permission: 'run',
    body: form({ fields: z.strictObject({ user: shape.EndUser.optional() }) }),
    reply: shape.looseRecord({}, { text: shape.stringField }),
    optional: true,
  }),
  /** Converts the text of a message, or another text, to speech. */
  textToAudio: endpoint({
    method: 'POST',
    path: '/text-to-audio',
    key: 'app',
    permission: 'run',
    body: z
      .strictObject({
        message_id: Id.optional(),
        text: z.string().min(1).max(200_000).optional(),
        voice: z.string().max(255).optional(),
        user: shape.EndUser.optional(),
      })
      .refine(({ message_id, text }) => message_id ?? text, {
        path: ['text'],
        message: 'is required unless message_id is given',
      }),
    reply: z.unknown(),
    mediaType: 'audio/mpeg',
    optional: true,
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
      created_at__before: IsoTime.optional(),
      created_at__after: IsoTime.optional(),
      created_by_end_user_session_id: z.string().max(255).optional(),
      created_by_account: z.string().max(255).optional(),
      page: shape.intParam(1, 99_999).default(1),
      limit: shape.limitParam,
    }),
    reply: shape.pagedList(WorkflowLog),
    resources: (reply) =>
      reply.data.flatMap(({ workflow_run: run }) =>
        run?.id ? [{ kind: 'workflow_run', id: run.id, label: run.status }] : [],
      ),
    tags: ['runs'],
    optional: true,
  }),
}
