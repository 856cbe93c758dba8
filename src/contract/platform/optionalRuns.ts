import { z } from 'zod'
import { endpoint, PathSegmentId } from '../endpoint.ts'
import * as shape from './schemas.ts'
import { WorkflowRunReply, WorkflowRunRequest, toWorkflowRunRefs } from './workflows.ts'

/** A field of a human input form. `default` is a text, or a variable of the run that the platform resolves. */
export const HumanInputField = shape.looseRecord(
  {},
  {
    output_variable_name: shape.stringField,
    type: shape.openEnum('paragraph', 'select', 'file', 'file-list'),
    default: z.unknown(),
    option_source: z.unknown(),
    allowed_file_types: z.array(shape.stringField),
    allowed_file_extensions: z.array(shape.stringField),
    allowed_file_upload_methods: z.array(shape.stringField),
    number_limits: shape.integerField,
  },
)

export const HumanInputAction = shape.looseRecord(
  {},
  {
    id: shape.stringField,
    title: shape.stringField,
    button_style: shape.openEnum('primary', 'default', 'accent', 'ghost'),
  },
)

/** A form as the platform shows it to anyone who has its token. `expiration_time` is seconds since 1970. */
export const HumanInputForm = shape.looseRecord(
  {},
  {
    form_content: shape.stringField,
    inputs: z.array(HumanInputField),
    resolved_default_values: shape.objectField,
    user_actions: z.array(HumanInputAction),
    expiration_time: shape.integerField,
  },
)
export type HumanInputForm = z.output<typeof HumanInputForm>

/** An answer to a form: the values by `output_variable_name`, and the id of the chosen action. */
export const HumanInputSubmission = z.strictObject({
  inputs: shape.objectField,
  action: z.string().min(1).max(255),
  user: shape.EndUser,
})

const trueParam = z.enum(['true', 'false']).optional()

/** Operations on runs beyond the interface: pinned versions, the events of an active run, and its forms. */
export const optionalRunEndpoints = {
  runVersion: endpoint({
    method: 'POST',
    path: '/workflows/:workflow_id/run',
    key: 'workflow',
    permission: 'run',
    params: { workflow_id: PathSegmentId },
    body: WorkflowRunRequest,
    reply: WorkflowRunReply,
    events: 'workflow',
    resources: toWorkflowRunRefs,
    invalidates: ['runs'],
    optional: true,
  }),
  /**
   * Reads the further events of a run, as an event stream; with `include_state_snapshot` also what the run did before. A
   * finished run has one event. Only the literal `true` counts in the flags.
   */
  runEvents: endpoint({
    method: 'GET',
    path: '/workflow/:workflow_run_id/events',
    key: 'app',
    permission: 'read',
    query: z.strictObject({
      user: shape.EndUser,
      include_state_snapshot: trueParam,
      continue_on_pause: trueParam,
    }),
    reply: z.unknown(),
    optional: true,
    isServerOnly: true,
  }),
  /** Reads a form that a paused run waits for. The token is the permission to answer it. */
  readForm: endpoint({
    method: 'GET',
    path: '/form/human_input/:form_token',
    key: 'app',
    permission: 'run',
    params: { form_token: PathSegmentId },
    reply: HumanInputForm,
    optional: true,
    isServerOnly: true,
  }),
  /** Submits a form, once; the run continues. */
  submitForm: endpoint({
    method: 'POST',
    path: '/form/human_input/:form_token',
    key: 'app',
    permission: 'run',
    params: { form_token: PathSegmentId },
    body: HumanInputSubmission,
    reply: z.looseObject({}),
    invalidates: ['runs'],
    optional: true,
    isServerOnly: true,
  }),
}
