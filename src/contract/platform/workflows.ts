import { z } from 'zod'
import { endpoint, type ResourceRef } from '../endpoint.ts'
import * as shape from './schemas.ts'

/** Body of operation 11. */
export const WorkflowRunRequest = z.strictObject({
  inputs: shape.objectField,
  response_mode: shape.ResponseMode,
  user: shape.EndUser,
  files: z.array(shape.FileInput).optional(),
})

/**
 * Workflow run: `data` of the blocking reply and operation 12. `inputs` is JSON text; `outputs` an object, or JSON
 * text.
 */
export const WorkflowRun = shape.named(
  'WorkflowRun',
  shape.looseRecord(
    {},
    {
      id: shape.stringField,
      workflow_id: shape.stringField,
      status: shape.openEnum('running', 'succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
      inputs: z.union([shape.stringField, shape.objectField]),
      outputs: z.union([shape.objectField, shape.stringField]),
      error: shape.stringField,
      total_steps: shape.integerField,
      total_tokens: shape.integerField,
      created_at: shape.timestampField,
      finished_at: shape.timestampField,
      elapsed_time: z.number(),
      /** The blocking reply of a paused run. */
      paused_nodes: shape.sentSince('1.16', z.array(shape.stringField)),
      reasons: shape.sentSince('1.16', z.array(shape.objectField)),
    },
  ),
)

/** The blocking reply of a run with its ids. */
export const WorkflowRunReply = z.looseObject({
  workflow_run_id: z.string().nullish(),
  task_id: z.string().nullish(),
  data: WorkflowRun.nullish(),
})
export const toWorkflowRunRefs = (reply: z.output<typeof WorkflowRunReply>): ResourceRef[] => [
  ...(reply.workflow_run_id ? [{ kind: 'workflow_run' as const, id: reply.workflow_run_id }] : []),
  ...(reply.task_id ? [{ kind: 'task' as const, id: reply.task_id, parent: reply.workflow_run_id }] : []),
]

export const workflowEndpoints = {
  /** Operation 11: runs a workflow application. */
  run: endpoint({
    method: 'POST',
    path: '/workflows/run',
    key: 'workflow',
    permission: 'run',
    body: WorkflowRunRequest,
    reply: WorkflowRunReply,
    events: 'workflow',
    resources: toWorkflowRunRefs,
    invalidates: ['runs'],
  }),
  /** Operation 12: reads the details of a workflow run. */
  readRun: endpoint({
    method: 'GET',
    path: '/workflows/run/:workflow_run_id',
    key: 'app',
    permission: 'read',
    reply: WorkflowRun,
    resources: (reply, { params }) =>
      reply.id ? [{ kind: 'workflow_run', id: params.workflow_run_id, label: reply.status, payload: reply }] : [],
  }),
}
