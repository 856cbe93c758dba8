import { z } from 'zod'
import * as shape from '#contract/platform/schemas.ts'
import { isCutEvent } from '../stream/cutEvent.ts'
import { IGNORED_EVENTS, toStreamProblem } from '../stream/streamEvents.ts'
import { recordUnknownEvent, UNNAMED_EVENT, NOT_AN_OBJECT } from '../stream/unknownEvents.ts'
import { asId, asJson, asList, asMessage, asNumber, asRecord, asText } from '../stream/untrustedJson.ts'
import { foldAgentLog, foldNodeEvent, type NodeEventStep, type RunNode } from './runNodes.ts'
import type { RunState } from './runState.ts'

type Data = Record<string, unknown>

const { stringField, integerField, timestampField, booleanField, objectField } = shape
const stringList = z.array(stringField)
const anyValue = z.unknown()

const nodeFields = {
  id: stringField,
  node_id: stringField,
  node_type: stringField,
  title: stringField,
  index: integerField,
  predecessor_node_id: stringField,
  inputs: objectField,
  inputs_truncated: booleanField,
  created_at: timestampField,
  iteration_id: stringField,
  loop_id: stringField,
  agent_strategy: anyValue,
}
const nodeEndFields = {
  process_data: objectField,
  process_data_truncated: booleanField,
  outputs: objectField,
  outputs_truncated: booleanField,
  status: shape.openEnum('pending', 'running', 'succeeded', 'failed', 'exception', 'stopped', 'paused', 'retry'),
  error: stringField,
  elapsed_time: z.number(),
  execution_metadata: z.looseObject({}),
  finished_at: timestampField,
  files: z.array(z.looseObject({})),
}
const roundFields = {
  id: stringField,
  node_id: stringField,
  node_type: stringField,
  title: stringField,
  created_at: timestampField,
  extras: objectField,
}
const inputFields = { inputs: objectField, inputs_truncated: booleanField }
const iterationEndFields = {
  ...roundFields,
  ...inputFields,
  outputs: objectField,
  outputs_truncated: booleanField,
  status: shape.openEnum('succeeded', 'failed', 'stopped', 'exception'),
  error: stringField,
  elapsed_time: z.number(),
  total_tokens: integerField,
  execution_metadata: z.looseObject({}),
  finished_at: timestampField,
  steps: integerField,
}
const parallelBranchFields = {
  parallel_id: stringField,
  parallel_branch_id: stringField,
  parent_parallel_id: stringField,
  parent_parallel_start_node_id: stringField,
  iteration_id: stringField,
  loop_id: stringField,
  created_at: timestampField,
}
const runTotalFields = {
  elapsed_time: z.number(),
  total_tokens: integerField,
  total_steps: integerField,
  created_at: timestampField,
}

/** An event of a workflow stream. */
export interface WorkflowEvent {
  /** Schema of its `data`, for the drift check. */
  data: z.ZodRawShape
  /** The earliest recorded release that sends the event, where not every release does. */
  since?: shape.Release
  /**
   * Folds it into the run; null if required fields are missing. An event without a fold is known, but goes to
   * `unknown`.
   */
  fold: ((run: RunState, event: Data, data: Data) => RunState | null) | null
  /** In a chatflow it belongs to the answer, not to the workflow. */
  isPartOfAnswer?: true
}

/** The events of a workflow, which a chatflow mixes with those of its answer. To add an event, add a row. */
export const workflowEvents: Readonly<Record<string, WorkflowEvent>> = {
  workflow_started: {
    data: {
      id: stringField,
      workflow_id: stringField,
      inputs: objectField,
      created_at: timestampField,
      reason: shape.sentSince('1.16', stringField),
    },
    fold: startRun,
  },
  node_started: { data: { ...nodeFields, extras: objectField }, fold: foldNode('node', 'started') },
  node_finished: { data: { ...nodeFields, ...nodeEndFields }, fold: foldNode('node', 'finished') },
  node_retry: { data: { ...nodeFields, ...nodeEndFields, retry_index: integerField }, fold: foldNode('node', 'retry') },
  iteration_started: {
    data: { ...roundFields, ...inputFields, metadata: objectField },
    fold: foldNode('iteration', 'started'),
  },
  iteration_next: { data: { ...roundFields, index: integerField }, fold: foldNode('iteration', 'next') },
  iteration_completed: { data: iterationEndFields, fold: foldNode('iteration', 'finished') },
  loop_started: { data: { ...roundFields, ...inputFields, metadata: objectField }, fold: foldNode('loop', 'started') },
  loop_next: {
    data: { ...roundFields, index: integerField, pre_loop_output: anyValue },
    fold: foldNode('loop', 'next'),
  },
  loop_completed: { data: iterationEndFields, fold: foldNode('loop', 'finished') },
  text_chunk: {
    data: { text: stringField, from_variable_selector: stringList },
    fold: (run, event, data) => addText(run, event, data.text, (text) => ({ text: run.text + text })),
  },
  text_replace: {
    data: { text: stringField },
    fold: (run, event, data) => addText(run, event, data.text, (text) => ({ text })),
  },
  reasoning_chunk: {
    data: { message_id: stringField, reasoning: stringField, node_id: stringField, is_final: booleanField },
    fold: (run, event, data) => addText(run, event, data.reasoning, (text) => ({ reasoning: run.reasoning + text })),
    isPartOfAnswer: true,
  },
  agent_log: {
    data: {
      node_execution_id: stringField,
      id: stringField,
      label: stringField,
      parent_id: stringField,
      error: stringField,
      status: stringField,
      data: objectField,
      metadata: objectField,
      node_id: stringField,
    },
    fold: foldLog,
  },
  workflow_finished: {
    data: {
      ...runTotalFields,
      id: stringField,
      workflow_id: stringField,
      status: shape.openEnum('succeeded', 'failed', 'stopped', 'partial-succeeded', 'paused'),
      outputs: objectField,
      error: stringField,
      created_by: objectField,
      finished_at: timestampField,
      exceptions_count: integerField,
      files: z.array(z.looseObject({})),
    },
    fold: finishRun,
  },
  workflow_paused: {
    since: '1.16',
    data: {
      ...runTotalFields,
      workflow_run_id: stringField,
      paused_nodes: z.array(anyValue),
      outputs: objectField,
      reasons: z.array(anyValue),
      status: shape.openEnum('paused'),
    },
    fold: pauseRun,
  },
  human_input_required: {
    since: '1.16',
    data: {
      form_id: stringField,
      node_id: stringField,
      node_title: stringField,
      form_content: stringField,
      inputs: z.array(anyValue),
      actions: z.array(anyValue),
      display_in_ui: booleanField,
      form_token: stringField,
      approval_channels: z.array(anyValue),
      resolved_default_values: objectField,
      expiration_time: integerField,
    },
    fold: foldForm('human_input_required'),
  },
  human_input_form_filled: {
    data: {
      node_id: stringField,
      node_title: stringField,
      rendered_content: stringField,
      action_id: stringField,
      action_text: stringField,
      submitted_data: objectField,
    },
    fold: foldForm('human_input_form_filled'),
  },
  human_input_form_timeout: {
    data: { node_id: stringField, node_title: stringField, expiration_time: integerField },
    fold: foldForm('human_input_form_timeout'),
  },
  parallel_branch_started: { data: parallelBranchFields, fold: null },
  parallel_branch_finished: {
    data: {
      ...parallelBranchFields,
      status: shape.openEnum('succeeded', 'failed'),
      error: stringField,
    },
    fold: null,
  },
}

/** The events that a chatflow passes to its workflow. */
export const WORKFLOW_EVENTS: readonly string[] = Object.keys(workflowEvents).filter(
  (name) => !workflowEvents[name]?.isPartOfAnswer,
)

/**
 * Folds one event of a workflow stream, or a complete blocking reply, into the run. Accepts any value: non-events and
 * events without their required fields go to `unknown`. Never throws and never mutates its arguments.
 */
export function foldRun(run: RunState, input: unknown): RunState {
  if (input === undefined) return run
  const event = asRecord(input)
  if (!event) return recordUnknownEvent(run, NOT_AN_OBJECT, input)
  const name = asText(event.event)
  const data = asRecord(event.data)
  if (name === null)
    return isReply(event, data) ? foldReply(run, event, data) : recordUnknownEvent(run, UNNAMED_EVENT, event)
  if (IGNORED_EVENTS.includes(name)) return run
  if (name === 'error') return foldError(run, event)
  const known = Object.hasOwn(workflowEvents, name) ? workflowEvents[name] : undefined
  return (data && known?.fold?.(run, event, data)) ?? recordUnknownEvent(countLate(run), name, event)
}

const isReply = (event: Data, data: Data | null): data is Data =>
  data !== null && (asId(event.workflow_run_id) ?? asId(event.task_id)) !== null

const foldReply = (run: RunState, event: Data, data: Data): RunState =>
  data.status === 'paused' ? pauseRun(run, event, data) : finishRun(run, event, data)

const countLate = (run: RunState): RunState => (run.ended ? { ...run, late: run.late + 1 } : run)

/** The end of a finished run that is asked for later names the run as its task, which no stop would find. */
function readRunIds(run: RunState, event: Data, data: Data) {
  const workflow_run_id = asId(event.workflow_run_id) ?? asId(data.workflow_run_id) ?? run.workflow_run_id
  const task_id = asId(event.task_id)
  return {
    workflow_run_id,
    task_id: task_id === null || task_id === workflow_run_id ? (run.task_id ?? task_id) : task_id,
  }
}

/** A resumed run starts again and keeps its state. */
function startRun(run: RunState, event: Data, data: Data): RunState {
  const begins = !run.ended || (run.paused !== null && run.problem === null)
  const ids = readRunIds(run, event, data)
  return {
    ...(begins ? { ...run, status: 'running', paused: null, ended: false } : countLate(run)),
    task_id: ids.task_id,
    workflow_run_id: ids.workflow_run_id ?? asId(data.id),
    workflow_id: asId(data.workflow_id) ?? run.workflow_id,
    inputs: asJson(data.inputs) ?? run.inputs,
    created_at: run.created_at ?? asNumber(data.created_at),
  }
}

function finishRun(run: RunState, event: Data, data: Data): RunState {
  if (hasFinished(run)) return countLate(run)
  const ids = readRunIds(run, event, data)
  const files = asList(data.files)
  return {
    ...run,
    ...readResult(run, data),
    task_id: ids.task_id,
    workflow_run_id: ids.workflow_run_id ?? asId(data.id),
    workflow_id: asId(data.workflow_id) ?? run.workflow_id,
    status: asId(data.status) ?? (isCutEvent(event) ? 'unknown' : run.status),
    error: asMessage(data.error) ?? run.error,
    finished_at: asNumber(data.finished_at) ?? run.finished_at,
    exceptions_count: asNumber(data.exceptions_count) ?? run.exceptions_count,
    files: files.length > 0 ? files : run.files,
    paused: null,
    ended: true,
  }
}

/** An `error` event or a pause also ends a stream; the run's result may still follow. */
const hasFinished = (run: RunState): boolean =>
  run.ended && run.paused === null && run.status !== null && run.status !== 'running'

const readResult = (run: RunState, data: Data) => ({
  outputs: asJson(data.outputs) ?? run.outputs,
  elapsed_time: asNumber(data.elapsed_time) ?? run.elapsed_time,
  total_tokens: asNumber(data.total_tokens) ?? run.total_tokens,
  total_steps: asNumber(data.total_steps) ?? run.total_steps,
  created_at: asNumber(data.created_at) ?? run.created_at,
})

function pauseRun(run: RunState, event: Data, data: Data): RunState {
  if (hasFinished(run)) return countLate(run)
  return {
    ...run,
    ...readResult(run, data),
    ...readRunIds(run, event, data),
    status: asId(data.status) ?? 'paused',
    // The record of operation 12 names neither: what the stream said stays.
    paused: {
      reasons: asJson(data.reasons) ?? run.paused?.reasons ?? null,
      paused_nodes: asJson(data.paused_nodes) ?? run.paused?.paused_nodes ?? null,
    },
    ended: true,
  }
}

function addText(
  run: RunState,
  event: Data,
  text: unknown,
  change: (text: string) => Partial<RunState>,
): RunState | null {
  if (typeof text !== 'string') return null
  if (run.ended) return countLate(run)
  return { ...run, ...readRunIds(run, event, {}), ...change(text) }
}

/**
 * Forms are identified by `form_id`; later events may only name their node. `event` in a form is the last event about
 * it.
 */
function upsertForm(forms: Data[], event: string, data: Data): Data[] {
  const form_id = asId(data.form_id)
  const node_id = asId(data.node_id)
  const at = forms.findLastIndex((form) =>
    form_id === null ? node_id !== null && form.node_id === node_id : form.form_id === form_id,
  )
  const form = { ...forms[at], ...asRecord(asJson(data)), event }
  return at < 0 ? [...forms, form] : forms.with(at, form)
}

function foldError(run: RunState, event: Data): RunState {
  if (run.problem) return countLate(run)
  return { ...run, ...readRunIds(run, event, {}), problem: toStreamProblem(event), ended: true }
}

function foldNode(kind: NodeEventStep['kind'], phase: NodeEventStep['phase']) {
  return (run: RunState, event: Data, data: Data): RunState | null =>
    withNodes(run, event, data, foldNodeEvent(run.nodes, { kind, phase, isCut: isCutEvent(event) }, data))
}

function foldLog(run: RunState, event: Data, data: Data): RunState | null {
  return withNodes(run, event, data, foldAgentLog(run.nodes, data))
}

const withNodes = (run: RunState, event: Data, data: Data, nodes: RunNode[] | null): RunState | null =>
  nodes && { ...countLate(run), ...readRunIds(run, event, data), nodes }

function foldForm(name: string) {
  return (run: RunState, event: Data, data: Data): RunState => ({
    ...(run.paused ? run : countLate(run)),
    ...readRunIds(run, event, data),
    forms: upsertForm(run.forms, name, data),
  })
}
