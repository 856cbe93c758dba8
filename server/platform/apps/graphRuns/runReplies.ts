import { toUnixSeconds } from '../../platformContext.ts'
import { renderSubmission } from '../../workflow/humanInput.ts'
import { toEndUserId } from '../endUserId.ts'
import type { humanInputForms, messages, workflowRuns } from '../schema.ts'
import type { NodeExecution, StoredRunState } from './runState.ts'

export type WorkflowRunRow = typeof workflowRuns.$inferSelect
export type HumanInputFormRow = typeof humanInputForms.$inferSelect
type MessageRow = typeof messages.$inferSelect

/** A workflow run as the interface has it, without the inputs. */
export const toWorkflowRun = ({
  id,
  workflow_id,
  status,
  outputs,
  error,
  elapsed_time,
  total_tokens,
  total_steps,
  ...run
}: WorkflowRunRow) => ({
  id,
  workflow_id,
  status,
  // Always an object, as upstream: empty before the end and after a failure.
  outputs: outputs ?? {},
  error,
  elapsed_time: elapsed_time ?? 0,
  total_tokens,
  total_steps,
  created_at: toUnixSeconds(run.created_at.getTime()),
  finished_at: run.finished_at && toUnixSeconds(run.finished_at.getTime()),
})

/** Data of `workflow_finished`. */
export const toFinishedData = (run: WorkflowRunRow) => ({
  ...toWorkflowRun(run),
  created_by: { id: toEndUserId({ app: run.app, user: run.end_user }), user: run.end_user },
  exceptions_count: 0,
  files: [],
})

/** Fields of a chatflow's events in addition to those of a workflow. */
export const toMessageEnvelope = (message: MessageRow | null) =>
  message
    ? {
        conversation_id: message.conversation_id,
        message_id: message.id,
        created_at: toUnixSeconds(message.created_at.getTime()),
      }
    : {}

/** Data of `human_input_required`. */
export const toFormData = (form: HumanInputFormRow) => ({
  form_id: form.id,
  node_id: form.node_id,
  node_title: form.node_title,
  form_content: form.form_content,
  inputs: form.inputs,
  actions: form.actions,
  display_in_ui: true,
  form_token: form.token,
  approval_channels: APPROVAL_CHANNELS,
  resolved_default_values: form.resolved_default_values,
  expiration_time: toUnixSeconds(form.expires_at.getTime()),
})

const APPROVAL_CHANNELS = ['console']

/** Fields of a paused run in the blocking reply in addition to those of an ended one. */
export function toPauseDetails(form: HumanInputFormRow) {
  const { display_in_ui: _, ...data } = toFormData(form)
  return { paused_nodes: [form.node_id], reasons: [{ TYPE: 'human_input_required', ...data }] }
}

/** Data of `workflow_paused`. */
export function toPausedData(run: WorkflowRunRow, form: HumanInputFormRow) {
  const { id, status, outputs, created_at, elapsed_time, total_tokens, total_steps } = toWorkflowRun(run)
  const { paused_nodes, reasons } = toPauseDetails(form)
  return {
    workflow_run_id: id,
    paused_nodes,
    outputs,
    reasons,
    status,
    created_at,
    elapsed_time,
    total_tokens,
    total_steps,
  }
}

/** The form of a message in the history of a chatflow. */
export function toExtraContent(form: HumanInputFormRow) {
  const isSubmitted = form.status === 'submitted'
  const { approval_channels: _, ...definition } = toFormData(form)
  const action = form.actions.find(({ id }) => id === form.action)
  return {
    workflow_run_id: form.workflow_run_id,
    submitted: isSubmitted,
    form_definition: { ...definition, form_token: form.status === 'waiting' ? form.token : null },
    form_submission_data: isSubmitted
      ? {
          node_id: form.node_id,
          node_title: form.node_title,
          rendered_content: renderSubmission({ form_content: form.form_content, values: form.values ?? {} }),
          action_id: form.action,
          action_text: action?.title ?? null,
          submitted_data: form.values,
        }
      : null,
    type: 'human_input',
  }
}

/** The state of a run for a reader who joins while it is running. */
export interface RunSnapshot {
  run: WorkflowRunRow
  message: MessageRow | null
  text: string
  state: Pick<StoredRunState, 'system' | 'nodes'>
  form: HumanInputFormRow | null
}

/** The events that report what a run has done so far. Inputs and outputs of the nodes are omitted, as upstream. */
export function toSnapshotEvents({ run, message, text, state, form }: RunSnapshot): object[] {
  const ids = { ...toMessageEnvelope(message), task_id: run.task_id, workflow_run_id: run.id }
  const created_at = toUnixSeconds(run.created_at.getTime())
  const { 'sys.workflow_id': workflow_id, 'sys.workflow_run_id': run_id, ...system } = state.system
  const time = message ? {} : { 'sys.timestamp': created_at }
  return [
    {
      event: 'workflow_started',
      ...ids,
      data: {
        id: run.id,
        workflow_id: run.workflow_id,
        inputs: {
          ...run.inputs,
          ...system,
          ...time,
          'sys.workflow_id': workflow_id,
          'sys.workflow_run_id': run_id,
        },
        created_at,
        reason: 'initial',
      },
    },
    ...(message
      ? [{ event: 'message_replace', ...toMessageEnvelope(message), task_id: run.task_id, answer: text, reason: '' }]
      : []),
    ...state.nodes.flatMap((node, index) =>
      toNodeEvents(node, index + 1).map(({ event, data }) => ({ event, ...ids, data })),
    ),
    ...(form ? toPauseEvents(run, form).map(({ event, data }) => ({ event, ...ids, data })) : []),
  ]
}

/** The two events of a pause. */
export const toPauseEvents = (run: WorkflowRunRow, form: HumanInputFormRow) => [
  { event: 'human_input_required', data: toFormData(form) },
  { event: 'workflow_paused', data: toPausedData(run, form) },
]

function toNodeEvents({ end, created_at, iteration_id, ...node }: NodeExecution, index: number) {
  const info = { ...node, index, predecessor_node_id: null, inputs: null }
  const started = { event: 'node_started', data: { ...info, created_at, extras: {}, iteration_id, loop_id: null } }
  if (!end) return [started]
  const { status, error, elapsed_time, finished_at } = end
  const data = {
    ...info,
    process_data: null,
    outputs: null,
    status,
    error,
    elapsed_time,
    execution_metadata: null,
    created_at,
    finished_at,
    files: [],
    iteration_id,
    loop_id: null,
  }
  return [started, { event: 'node_finished', data }]
}
