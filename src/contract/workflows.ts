import { z } from 'zod'
import { endpoint, events } from './endpoint.ts'
import { emptyRun, foldRun } from './run.ts'
import * as shape from './shapes.ts'

/** Body of operation 11. */
export const WorkflowRunRequest = z.strictObject({
  inputs: shape.object,
  response_mode: shape.ResponseMode,
  user: shape.User,
  files: z.array(shape.FileInput).optional(),
})

/** Workflow run, of the blocking reply's `data` and of operation 12. `inputs` is JSON text; `outputs` an object, or JSON text. */
export const WorkflowRun = shape.record(
  {},
  {
    id: shape.text,
    workflow_id: shape.text,
    status: shape.word('running', 'succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
    inputs: z.union([shape.text, shape.object]),
    outputs: z.union([shape.object, shape.text]),
    error: shape.text,
    total_steps: shape.integer,
    total_tokens: shape.integer,
    created_at: shape.timestamp,
    finished_at: shape.timestamp,
    elapsed_time: z.number(),
  },
)

/** Application parameters, operation 13. A control is an object with one key that names its kind. */
export const Control = shape.record(
  {},
  {
    label: shape.text,
    variable: shape.text,
    required: shape.flag,
    default: z.unknown(),
    max_length: shape.integer,
    options: z.array(shape.text),
    hide: shape.flag,
    description: shape.text,
    allowed_file_types: z.array(shape.text),
    allowed_file_extensions: z.array(shape.text),
    allowed_file_upload_methods: z.array(shape.text),
  },
)
export const Parameters = shape.record(
  {},
  {
    opening_statement: shape.text,
    suggested_questions: z.array(shape.text),
    suggested_questions_after_answer: shape.record({}, { enabled: shape.flag }),
    retriever_resource: shape.record({}, { enabled: shape.flag }),
    annotation_reply: shape.record({}, { enabled: shape.flag }),
    speech_to_text: shape.object,
    text_to_speech: shape.object,
    more_like_this: shape.object,
    sensitive_word_avoidance: shape.object,
    user_input_form: z.array(z.record(z.string(), Control)),
    file_upload: shape.record(
      {},
      {
        enabled: shape.flag,
        number_limits: shape.integer,
        allowed_file_types: z.array(shape.text),
        allowed_file_extensions: z.array(shape.text),
        allowed_file_upload_methods: z.array(shape.text),
        image: shape.record(
          {},
          {
            enabled: shape.flag,
            number_limits: shape.integer,
            detail: shape.text,
            transfer_methods: z.array(shape.text),
          },
        ),
      },
    ),
    /** Sizes are megabytes, `workflow_file_upload_limit` a number of files. */
    system_parameters: shape.record(
      {},
      {
        file_size_limit: shape.integer,
        image_file_size_limit: shape.integer,
        audio_file_size_limit: shape.integer,
        video_file_size_limit: shape.integer,
        workflow_file_upload_limit: shape.integer,
      },
    ),
  },
)
export type Parameters = z.output<typeof Parameters>

export const workflows = {
  /** Operation 11: runs a workflow application. */
  run: endpoint({
    method: 'POST',
    path: '/workflows/run',
    key: 'workflow',
    permission: 'run',
    body: WorkflowRunRequest,
    reply: z.looseObject({
      workflow_run_id: z.string().nullish(),
      task_id: z.string().nullish(),
      data: WorkflowRun.nullish(),
    }),
    events: events(emptyRun, foldRun),
    names: (reply) => [
      ...(reply.workflow_run_id ? [{ kind: 'workflow_run' as const, id: reply.workflow_run_id }] : []),
      ...(reply.task_id ? [{ kind: 'task' as const, id: reply.task_id, parent: reply.workflow_run_id }] : []),
    ],
    touches: ['runs'],
  }),
  /** Operation 12: reads the details of a workflow run. */
  readRun: endpoint({
    method: 'GET',
    path: '/workflows/run/:workflow_run_id',
    key: 'app',
    permission: 'read',
    reply: WorkflowRun,
    names: (reply, { params }) =>
      reply.id ? [{ kind: 'workflow_run', id: params.workflow_run_id, label: reply.status, payload: reply }] : [],
  }),
  /** Operation 13: reads the parameters of an application (upstream: of any app kind). */
  parameters: endpoint({
    method: 'GET',
    path: '/parameters',
    key: 'app',
    permission: 'read',
    reply: Parameters,
  }),
}
